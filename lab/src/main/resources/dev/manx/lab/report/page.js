// Switches, theme and drawing. What was drawn is told in document.body.dataset.series.
(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const chosen = {
    class: data.classes[0], load: data.loads[0], quantile: 'P99', block: data.timelines.length ? data.timelines[0].block : null,
    arms: charts.fastest(data),
  };
  const views = new Map();
  const off = new Set();
  const night = window.matchMedia('(prefers-color-scheme: dark)');

  function theme() {
    const css = getComputedStyle(document.documentElement);
    const colour = (name) => css.getPropertyValue('--' + name).trim();
    return {
      dark: night.matches, page: colour('page'), panel: colour('panel'), ink: colour('ink'), soft: colour('soft'),
      line: colour('line'), grid: colour('grid'), font: getComputedStyle(document.body).fontFamily,
    };
  }

  function addSwitch(place, key, label, values) {
    if (values.length < 2) return;
    const set = document.createElement('fieldset');
    const name = document.createElement('span');
    name.textContent = label;
    set.append(name);
    for (const value of values) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = value;
      button.dataset.key = key;
      button.setAttribute('aria-pressed', String(chosen[key] === value));
      button.addEventListener('click', () => {
        chosen[key] = value;
        if (key === 'shown') chosen.arms = chosen.all();
        for (const other of document.querySelectorAll('button[data-key="' + key + '"]')) {
          other.setAttribute('aria-pressed', String(other.textContent === value));
        }
        draw();
      });
      set.append(button);
    }
    document.getElementById(place).append(set);
  }

  function addArms() {
    const fastest = charts.fastest(data);
    if (fastest.length === data.arms.length) return;
    const some = fastest.length + ' of ' + data.arms.length;
    chosen.shown = some;
    addSwitch('switches', 'shown', 'arms', [some, 'all']);
    chosen.all = () => (chosen.shown === some ? fastest : data.arms);
  }

  function chart(box, option, empty) {
    let instance = echarts.getInstanceByDom(box);
    if (instance) instance.dispose();
    box.classList.toggle('empty', !option);
    box.textContent = option ? '' : empty;
    if (!option) {
      box.style.height = 'auto';
      return;
    }
    box.style.height = option.rows ? 110 + (option.rowHeight || 24) * option.rows + 'px' : '';
    delete option.rows;
    delete option.rowHeight;
    instance = echarts.init(box, null, {renderer: 'svg'});
    instance.setOption(option);
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // A list to choose from; what was chosen stays while it is offered.
  function choice(select, texts) {
    const before = select.value;
    if (texts.join('\n') !== [...select.options].map((o) => o.textContent).join('\n')) {
      select.replaceChildren(...texts.map((text) => element('option', '', text)));
      if (texts.includes(before)) select.value = before;
    }
    select.hidden = texts.length < 2;
    return Math.max(0, select.selectedIndex);
  }

  function drawTimelines(colours) {
    const metrics = [...new Set(data.timelines.map((t) => t.metric))];
    const place = document.getElementById('timeline-charts');
    document.getElementById('timelines').hidden = metrics.length === 0;
    metrics.forEach((metric, i) => {
      const id = 'chart-timeline-' + i;
      if (!document.getElementById(id)) {
        const head = element('h3', '', metric);
        const select = element('select', 'view');
        select.setAttribute('aria-label', 'what ' + metric + ' shows');
        select.addEventListener('change', draw);
        views.set(metric, select);
        const box = element('div', 'chart');
        box.id = id;
        place.append(head, select, box);
      }
      const offered = timelines.views(data, chosen, metric);
      const view = offered[choice(views.get(metric), offered.map((v) => v.text))];
      chart(document.getElementById(id), timelines.option(data, chosen, colours, metric, view), 'Nothing in this round and load.');
    });
  }

  // One legend for all panels: an arm is pressed away and back.
  function drawLegend(place) {
    place.replaceChildren(...chosen.arms.map((arm) => {
      const button = element('button', 'key');
      const swatch = element('span', 'swatch');
      swatch.dataset.arm = arm;
      button.type = 'button';
      button.append(swatch, arm);
      button.setAttribute('aria-pressed', String(!off.has(arm)));
      button.addEventListener('click', () => {
        if (!off.delete(arm)) off.add(arm);
        draw();
      });
      return button;
    }));
  }

  function drawSweeps(colours) {
    document.getElementById('sweeps').hidden = data.sweeps.length === 0;
    document.querySelectorAll('.sweep .legend').forEach(drawLegend);
    data.sweeps.forEach((sweep, i) => {
      const place = document.querySelector('[data-sweep="' + i + '"] .panels');
      const draw1 = (n, metric) => {
        const id = 'chart-sweep-' + i + '-' + n;
        let box = document.getElementById(id);
        if (!box) {
          const panel = element('div', 'panel');
          panel.append(element('h4', '', sweeps.words(metric)));
          box = element('div', 'chart');
          box.id = id;
          panel.append(box);
          place.append(panel);
        }
        chart(box, sweeps.option(data, chosen, colours, sweep, metric, off), 'Nothing for this class and load.');
        return box.parentElement;
      };
      const first = sweeps.panels(sweep);
      first.forEach((metric, n) => draw1(n, metric));
      const rest = sweeps.others(sweep);
      if (rest.length === 0) return;
      if (!views.has(sweep)) {
        const select = element('select', 'view');
        select.setAttribute('aria-label', 'another metric');
        select.append(...rest.map((metric) => element('option', '', sweeps.words(metric))));
        select.addEventListener('change', draw);
        views.set(sweep, select);
      }
      const panel = draw1('more', rest[views.get(sweep).selectedIndex]);
      const head = panel.querySelector('h4');
      if (!head.contains(views.get(sweep))) head.replaceChildren(views.get(sweep));
    });
  }

  function draw() {
    const colours = theme();
    data.shown = chosen.arms;
    for (const part of document.querySelectorAll('[data-load], [data-class]')) {
      part.hidden = (part.dataset.load !== undefined && part.dataset.load !== chosen.load)
        || (part.dataset.class !== undefined && part.dataset.class !== chosen.class);
    }
    const box = (name) => document.getElementById('chart-' + name);
    chart(box('curve'), charts.curve(data, chosen, colours), 'No histogram logs for this class and load.');
    chart(box('bars'), charts.bars(data, chosen, colours), 'Nothing was measured for this class and load.');
    chart(box('ratios'), charts.ratios(data, chosen, colours), 'Nothing to compare for this class and load.');
    chart(box('rounds'), charts.rounds(data, chosen, colours), 'No rounds for this class and load.');
    document.getElementById('grid').hidden = !data.grid;
    if (data.grid) chart(box('heatmap'), heatmap.option(data, chosen, colours), 'Nothing to compare.');
    drawSweeps(colours);
    drawTimelines(colours);
    for (const swatch of document.querySelectorAll('.swatch')) {
      swatch.style.background = charts.look(data, colours, swatch.dataset.arm).color;
    }
    tell();
  }

  function tell() {
    const drawn = {};
    for (const box of document.querySelectorAll('.chart')) {
      if (box.closest('section[hidden]')) continue;
      const instance = echarts.getInstanceByDom(box);
      drawn[box.id.replace('chart-', '')] = instance
        ? instance.getOption().series.map((s) => ({name: s.name, type: s.type, points: s.data.length}))
        : [];
    }
    document.body.dataset.series = JSON.stringify(drawn);
    document.body.dataset.marks = String(document.querySelectorAll('.chart svg path').length);
  }

  addSwitch('switches', 'class', 'class', data.classes);
  addSwitch('switches', 'load', 'load', data.loads);
  addSwitch('switch-quantile', 'quantile', 'percentile', data.quantiles);
  addSwitch('switch-heat', 'quantile', 'percentile', data.grid ? data.quantiles : []);
  addArms();
  document.querySelectorAll('table.sortable').forEach(tables.prepare);
  addSwitch('switch-block', 'block', 'round', [...new Set(data.timelines.map((t) => t.block))]);
  draw();
  night.addEventListener('change', draw);
  window.addEventListener('resize', () => {
    for (const box of document.querySelectorAll('.chart')) {
      const instance = echarts.getInstanceByDom(box);
      if (instance) instance.resize();
    }
  });
})();
