// Errors of the page itself, kept for tests and curious readers.
(function () {
  'use strict';
  const errors = [];
  function keep(text) {
    errors.push(String(text));
    document.documentElement.dataset.errors = JSON.stringify(errors);
  }
  document.documentElement.dataset.errors = '[]';
  window.addEventListener('error', (event) => keep(event.message));
  window.addEventListener('unhandledrejection', (event) => keep(event.reason));
  document.addEventListener('securitypolicyviolation', (event) => keep('blocked ' + event.blockedURI));
})();
