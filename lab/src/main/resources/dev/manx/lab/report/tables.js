// Tables that sort by a clicked column heading, and a box that filters their rows.
const tables = (function () {
  'use strict';

  function key(row, column) {
    const cell = row.cells[column];
    if (cell.classList.contains('name')) return cell.textContent;
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  }

  function compare(a, b) {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return typeof a === 'number' ? a - b : a.localeCompare(b, 'en', {numeric: true});
  }

  function sort(table, column, up) {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => ({row, key: key(row, column)}));
    // Missing values stay last in both directions.
    rows.sort((a, b) => (up || a.key === null || b.key === null ? compare(a.key, b.key) : compare(b.key, a.key)));
    body.append(...rows.map((r) => r.row));
    [...table.tHead.rows[0].cells].forEach((head, i) => {
      head.setAttribute('aria-sort', i !== column ? 'none' : up ? 'ascending' : 'descending');
    });
  }

  function prepare(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      button.addEventListener('click', () => sort(table, column, head.getAttribute('aria-sort') !== 'ascending'));
      head.append(button);
      head.setAttribute('aria-sort', 'none');
    });
    const box = document.createElement('input');
    box.type = 'search';
    box.placeholder = 'show rows with ...';
    box.setAttribute('aria-label', 'show rows with');
    box.addEventListener('input', () => {
      const words = box.value.toLowerCase().split(/\s+/).filter((word) => word);
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    table.parentElement.before(box);
  }

  return {prepare, sort};
})();
