// Switches, theme and drawing. What was drawn is told in document.body.dataset.series.
(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const chosen = {
    class: data.classes[0], load: data.loads[0], quantile: 'P99', block: data.timelines.length ? data.timelines[0].block : null,
  };
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
      button.setAttribute('aria-pressed', String(chosen[key] === value));
      button.addEventListener('click', () => {
        chosen[key] = value;
        for (const other of set.querySelectorAll('button')) {
          other.setAttribute('aria-pressed', String(other === button));
        }
        draw();
      });
      set.append(button);
    }
    document.getElementById(place).append(set);
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
    box.style.height = option.rows ? 110 + 24 * option.rows + 'px' : '';
    delete option.rows;
    instance = echarts.init(box, null, {renderer: 'svg'});
    instance.setOption(option);
  }

  function timelines(colours) {
    const metrics = [...new Set(data.timelines.map((t) => t.metric))];
    const place = document.getElementById('timeline-charts');
    document.getElementById('timelines').hidden = metrics.length === 0;
    metrics.forEach((metric, i) => {
      const id = 'chart-timeline-' + i;
      if (!document.getElementById(id)) {
        const head = document.createElement('h3');
        head.textContent = metric;
        const box = document.createElement('div');
        box.id = id;
        box.className = 'chart';
        place.append(head, box);
      }
      chart(document.getElementById(id), charts.timeline(data, chosen, colours, metric), 'Nothing in this round.');
    });
  }

  function draw() {
    const colours = theme();
    for (const part of document.querySelectorAll('[data-load]')) {
      part.hidden = part.dataset.load !== chosen.load
        || (part.dataset.class !== undefined && part.dataset.class !== chosen.class);
    }
    for (const swatch of document.querySelectorAll('.swatch')) {
      swatch.style.background = charts.look(data, colours, swatch.dataset.arm).color;
    }
    const box = (name) => document.getElementById('chart-' + name);
    chart(box('curve'), charts.curve(data, chosen, colours), 'No histogram logs for this class and load.');
    chart(box('bars'), charts.bars(data, chosen, colours), 'Nothing was measured for this class and load.');
    chart(box('ratios'), charts.ratios(data, chosen, colours), 'Nothing to compare for this class and load.');
    chart(box('rounds'), charts.rounds(data, chosen, colours), 'No rounds for this class and load.');
    timelines(colours);
    tell();
  }

  function tell() {
    const drawn = {};
    for (const box of document.querySelectorAll('.chart')) {
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
