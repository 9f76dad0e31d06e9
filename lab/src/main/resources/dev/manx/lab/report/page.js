// Switches, theme and drawing. document.body.dataset.series lists the drawn series.
(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const chosen = {
    class: data.classes[0], load: data.loads[0], quantile: 'P99', block: data.timelines.length ? data.timelines[0].block : null,
    arms: charts.fastest(data), off: new Set(),
  };
  const paper = document.documentElement.classList;
  const views = new Map();
  const night = window.matchMedia('(prefers-color-scheme: dark)');

  function theme() {
    const css = getComputedStyle(document.documentElement);
    const colour = (name) => css.getPropertyValue('--' + name).trim();
    return {
      dark: night.matches && !paper.contains('paper'), page: colour('page'), panel: colour('panel'), ink: colour('ink'), soft: colour('soft'),
      line: colour('line'), grid: colour('grid'), font: getComputedStyle(document.body).fontFamily,
      width: document.getElementById('verdicts').clientWidth, narrow: document.getElementById('verdicts').clientWidth < 700,
    };
  }

  function addSwitch(place, key, label, values, text = (value) => value) {
    if (values.length < 2) return;
    const set = document.createElement('fieldset');
    set.setAttribute('aria-label', label);
    const name = document.createElement('span');
    name.textContent = label;
    set.append(name);
    for (const value of values) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = text(value);
      button.dataset.key = key;
      button.dataset.value = value;
      button.setAttribute('aria-pressed', String(chosen[key] === value));
      button.addEventListener('click', () => {
        chosen[key] = value;
        if (key === 'shown') chosen.arms = chosen.all();
        for (const other of document.querySelectorAll('button[data-key="' + key + '"]')) {
          other.setAttribute('aria-pressed', String(other.dataset.value === value));
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

  // Draws the options of a selection, under a name for those who cannot see it: its section's unless given.
  // What was not measured is not called hidden.
  function chart(box, options, empty, keys = [], name = box.closest('section').querySelector('h2').textContent) {
    const option = options(chosen);
    const hidden = () => options(Object.assign({}, chosen, {visible: chosen.arms, off: new Set()}));
    const instance = echarts.getInstanceByDom(box);
    if (instance) instance.dispose();
    drawLegend(legendOf(box), keys);
    box.classList.toggle('empty', !option);
    box.textContent = option ? '' : hidden() ? 'Hidden: click a name to show its line.' : empty;
    if (!option) {
      box.removeAttribute('role');
      box.removeAttribute('aria-label');
      box.style.height = 'auto';
      return;
    }
    box.setAttribute('role', 'img');
    box.setAttribute('aria-label', name);
    box.style.height = option.height ? option.height + 'px' : '';
    box.style.width = option.width ? option.width + 'px' : '';
    delete option.height;
    delete option.width;
    echarts.init(box, null, {renderer: 'svg'}).setOption(option);
  }

  // The place for a chart's legend, before it.
  function legendOf(box) {
    const before = box.previousElementSibling;
    if (before && before.classList.contains('legend')) return before;
    const place = element('div', 'legend');
    box.before(place);
    return place;
  }

  function element(tag, className, text) {
    const made = document.createElement(tag);
    made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // A metric's name, and its meaning if known.
  function heading(tag, name, words) {
    const made = element(tag, '', name);
    made.append(element('small', '', words));
    return made;
  }

  // A list of choices; the selection is kept while available.
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
        const head = heading('h3', metric, data.words[metric]);
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
      const only = view && offered.length === 1 && view.arm !== null ? view.arm : '';
      place.querySelectorAll('h3 small')[i].textContent = [data.words[metric], only].filter((text) => text).join(' · ');
      chart(document.getElementById(id), (some) => timelines.option(data, some, colours, metric, view), 'Nothing in this round and load.',
        timelines.keys(data, chosen, colours, metric, view), metric + ' over time');
    });
  }

  // A click hides or shows an arm in all charts.
  function drawLegend(place, keys) {
    const focus = [...place.children].indexOf(document.activeElement);
    place.replaceChildren(...keys.map((key) => {
      const button = element('button', 'key');
      button.type = 'button';
      button.append(sample(key.look), key.text);
      button.setAttribute('aria-pressed', String(!chosen.off.has(key.id)));
      button.addEventListener('click', () => {
        if (!chosen.off.delete(key.id)) chosen.off.add(key.id);
        draw();
      });
      return button;
    }));
    if (focus >= 0 && place.children[focus]) place.children[focus].focus();
  }

  const SHAPES = {
    circle: '<circle cx="13" cy="6" r="4"/>', rect: '<rect x="9" y="2" width="8" height="8"/>',
    triangle: '<path d="M13 1.5L17.5 10L8.5 10Z"/>', diamond: '<path d="M13 1L18 6L13 11L8 6Z"/>',
  };
  const GAPS = {solid: 'none', dashed: '6 3', dotted: '2 2'};

  // A piece of an arm's line, with its symbol. Nothing here comes from a file.
  function sample(look) {
    const holder = element('span', 'sample');
    holder.innerHTML = '<svg width="26" height="12" aria-hidden="true" fill="' + look.color + '"><path d="M0 6H26" stroke="' + look.color
      + '" stroke-width="2.2" stroke-dasharray="' + GAPS[look.dash] + '"/>' + (SHAPES[look.symbol] || '') + '</svg>';
    return holder;
  }

  function armKeys(colours, arms) {
    return arms.map((arm) => ({id: arm, text: arm, look: charts.look(data, colours, arm)}));
  }

  function drawSweeps(colours) {
    document.getElementById('sweeps').hidden = data.sweeps.length === 0;
    document.querySelectorAll('.sweep > .legend').forEach((place) => drawLegend(place, armKeys(colours, chosen.arms)));
    data.sweeps.forEach((sweep, i) => {
      const place = document.querySelector('[data-sweep="' + i + '"] .panels');
      const boxOf = (n, metric) => {
        const id = 'chart-sweep-' + i + '-' + n;
        let box = document.getElementById(id);
        if (!box) {
          const panel = element('div', 'panel');
          panel.append(heading('h4', sweeps.words(metric), data.words[metric]));
          box = element('div', 'chart');
          box.id = id;
          panel.append(box);
          place.append(panel);
        }
        return box;
      };
      const fill = (box, metric) =>
        chart(box, (some) => sweeps.option(data, some, colours, sweep, metric), 'Nothing for this class and load.', undefined,
          sweeps.words(metric) + ' over ' + sweep.title);
      // A chart takes its panel's width, which depends on the number of panels: add all panels first.
      const first = sweeps.panels(sweep);
      const boxes = first.map((metric, n) => boxOf(n, metric));
      const rest = sweeps.others(sweep);
      const more = rest.length > 0 ? boxOf('more', rest[0]) : null;
      boxes.forEach((box, n) => fill(box, first[n]));
      if (!more) return;
      if (!views.has(sweep)) {
        const select = element('select', 'view');
        select.setAttribute('aria-label', 'another metric');
        select.append(...rest.map((metric) => element('option', '', sweeps.words(metric))));
        select.addEventListener('change', draw);
        views.set(sweep, select);
      }
      const metric = rest[views.get(sweep).selectedIndex];
      fill(more, metric);
      const head = more.parentElement.querySelector('h4');
      if (!head.contains(views.get(sweep))) head.replaceChildren(views.get(sweep), element('small', ''));
      head.querySelector('small').textContent = data.words[metric] || '';
    });
  }

  function draw() {
    const colours = theme();
    data.shown = chosen.arms;
    chosen.visible = chosen.arms;
    const keys = armKeys(colours, charts.results(data, chosen).map((r) => r.arm));
    const compared = keys.filter((key) => data.comparisons.some(
      (c) => c.arm === key.id && c.class === chosen.class && c.load === chosen.load));
    chosen.visible = chosen.arms.filter((arm) => !chosen.off.has(arm));
    for (const part of document.querySelectorAll('[data-load], [data-class]')) {
      part.hidden = (part.dataset.load !== undefined && part.dataset.load !== chosen.load)
        || (part.dataset.class !== undefined && part.dataset.class !== chosen.class);
    }
    const box = (name) => document.getElementById('chart-' + name);
    chart(box('curve'), (some) => charts.curve(data, some, colours), 'No histogram logs for this class and load.', keys);
    chart(box('bars'), (some) => charts.bars(data, some, colours), 'Nothing was measured for this class and load.', keys);
    chart(box('ratios'), (some) => charts.ratios(data, some, colours), 'Nothing to compare for this class and load.', compared);
    chart(box('rounds'), (some) => charts.rounds(data, some, colours), 'No rounds for this class and load.', keys);
    document.getElementById('grid').hidden = !data.grid;
    if (data.grid) chart(box('heatmap'), (some) => heatmap.option(data, some, colours), 'Nothing to compare.');
    drawSweeps(colours);
    drawTimelines(colours);
    for (const swatch of document.querySelectorAll('.swatch')) {
      // Colours repeat with many arms: only drawn arms have one.
      swatch.replaceChildren(...(chosen.arms.includes(swatch.dataset.arm) ? [sample(charts.look(data, colours, swatch.dataset.arm))] : []));
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
    const wide = [...document.querySelectorAll('.panel .chart')].filter((box) => box.scrollWidth > box.clientWidth + 1);
    document.body.dataset.overflowing = wide.map((box) => box.id).join(' ');
    document.body.dataset.marks = String(document.querySelectorAll('.chart svg path').length);
  }

  addSwitch('switches', 'class', 'class', data.classes);
  addSwitch('switches', 'load', data.loadWord, data.loads);
  addSwitch('switch-quantile', 'quantile', 'percentile', data.quantiles);
  addSwitch('switch-heat', 'quantile', 'percentile', data.grid ? data.quantiles : []);
  addArms();
  document.querySelectorAll('table.sortable').forEach(tables.prepare);
  const blocks = charts.blocks(data);
  addSwitch('switch-block', 'block', blocks.name, [...new Set(data.timelines.map((t) => t.block))], blocks.text);
  draw();
  night.addEventListener('change', draw);
  // Charts keep the width and the colours that they are drawn with: those of paper are its own.
  const print = (on) => {
    paper.toggle('paper', on);
    draw();
    // Paper cannot be scrolled: tables that are too wide are made smaller.
    for (const table of document.querySelectorAll('main table')) {
      table.style.zoom = '';
      const fit = theme().width / table.offsetWidth;
      if (on && fit < 1) table.style.zoom = fit;
    }
  };
  window.addEventListener('beforeprint', () => print(true));
  window.addEventListener('afterprint', () => print(false));
  let width = theme().width;
  window.addEventListener('resize', () => {
    if (theme().width !== width) {
      width = theme().width;
      draw();
    }
  });
})();
