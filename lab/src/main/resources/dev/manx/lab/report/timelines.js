// Values over time: one chart per metric; every arm of one entity, every entity of one arm, or all.
const timelines = (function () {
  'use strict';

  const FEW = 12;
  // From this length on, minutes are easier to read than seconds.
  const LONG_SECONDS = 900;
  const UNITS = [['_per_s', '/s'], ['_ms', 'ms'], ['_us', 'us'], ['_mib', 'MiB'], ['_pct', '%']];

  function unit(metric) {
    const found = UNITS.find(([end]) => metric.endsWith(end));
    return found ? found[1] : '';
  }

  function lines(data, chosen, metric) {
    // Only the arms that are shown have looks of their own.
    const own = data.timelines.filter((t) => t.metric === metric && t.block === chosen.block && chosen.arms.includes(t.arm)
      && (t.load === '' || t.load === chosen.load));
    const mine = own.filter((t) => t.entity === chosen.class);
    return ofClasses(data, own) && mine.length > 0 ? mine : own;
  }

  // If the entities are classes, the switch of classes chooses among them.
  function ofClasses(data, own) {
    return own.length > 0 && own.every((t) => t.entity !== 'all' && data.classes.includes(t.entity));
  }

  // The possible views of a chart, the best first. All lines together only if dashes can distinguish them.
  function views(data, chosen, metric) {
    const own = lines(data, chosen, metric);
    const entities = [...new Set(own.map((t) => t.entity))];
    const arms = data.arms.filter((arm) => own.some((t) => t.arm === arm));
    const all = own.length <= FEW && (entities.length <= charts.DASHES.length && arms.length > 1 || entities.length < 2)
      ? [{text: 'all lines', arm: null, entity: null}] : [];
    const byEntity = entities.map((entity) => ({text: 'every arm: ' + entity, arm: null, entity}));
    const byArm = arms.map((arm) => ({text: 'every entity: ' + arm, arm, entity: null}));
    if (entities.length < 2) return all.concat(byEntity);
    if (arms.length < 2) return all.concat(byArm);
    return all.concat(entities.length > arms.length ? byArm.concat(byEntity) : byEntity.concat(byArm));
  }

  function seen(data, chosen, metric, view) {
    return view ? lines(data, chosen, metric).filter((t) => (view.arm === null || t.arm === view.arm)
      && (view.entity === null || t.entity === view.entity)) : [];
  }

  // An entity has the same colour in every chart.
  function entityLook(data, theme, entity) {
    return charts.entityLook(theme, [...new Set(data.timelines.map((t) => t.entity))].indexOf(entity));
  }

  // The lines of a view, for its legend: arms, or the entities of one arm.
  function keys(data, chosen, theme, metric, view) {
    const own = seen(data, chosen, metric, view);
    const entities = [...new Set(own.map((t) => t.entity))];
    const arms = data.arms.filter((arm) => own.some((t) => t.arm === arm));
    if (arms.length === 1 && entities.length > 1) {
      return entities.map((entity) => ({id: '\u0000' + entity, text: entity, look: entityLook(data, theme, entity)}));
    }
    const plain = (arm) => Object.assign(charts.look(data, theme, arm), {symbol: null}, entities.length > 1 ? {dash: 'solid'} : {});
    const armKeys = arms.map((arm) => ({id: arm, text: arm, look: plain(arm)}));
    return entities.length < 2 ? armKeys : armKeys.concat(entities.map((entity, i) => (
      {id: '\u0000' + entity, text: entity, look: {color: theme.ink, symbol: null, dash: charts.DASHES[i]}})));
  }

  function marks(data, chosen, theme, metric, arms, own, times) {
    const mine = data.marks.filter((m) => (m.metric === '' || m.metric === metric) && (m.arm === 'all' || arms.includes(m.arm))
      && (m.load === 'all' || m.load === chosen.load) && (m.block === 'all' || m.block === chosen.block)
      && (m.at[2] === null || m.metric === metric)
      && (m.class === 'all' || m.class === chosen.class || !ofClasses(data, own)));
    const once = [];
    for (const m of mine) {
      // Marks with an invisible difference are merged.
      const close = (a, b) => a === b || (a !== null && b !== null && Math.abs(a - b) <= 0.02 * times.length);
      if (!once.some((o) => o.label === m.label && o.at.every((v, i) => close(v, m.at[i])))) once.push(m);
    }
    const label = {show: true, color: theme.soft, fontSize: 12};
    const areas = once.filter((m) => m.at[0] !== null && m.at[1] !== null && m.at[0] < times.length)
      .map((m) => ({label: m.label, at: [m.at[0], Math.min(m.at[1], times.length)]}));
    const ends = once.filter((m) => m.at[2] !== null || (m.at[0] !== null && m.at[1] === null));
    const middles = [];
    return {
      markArea: areas.length === 0 ? undefined : {
        silent: true, itemStyle: {color: theme.dark ? 'rgba(230,180,60,0.13)' : 'rgba(176,125,0,0.10)'},
        label: Object.assign({position: 'insideTop'}, label),
        data: areas.map((m) => {
          // Labels of overlapping windows are stacked.
          const middle = (m.at[0] + m.at[1]) / 2 / times.length * theme.width;
          let lane = 0;
          while (middles.some((o) => o.lane === lane && Math.abs(o.middle - middle) < 7 * m.label.length + 8)) lane++;
          middles.push({middle, lane});
          return [{name: m.label, xAxis: m.at[0] / times.scale, label: {distance: 4 + 15 * lane}}, {xAxis: m.at[1] / times.scale}];
        }),
      },
      markLine: ends.length === 0 ? undefined : {
        silent: true, symbol: 'none', lineStyle: {color: theme.soft, type: 'dashed', width: 1.2},
        data: ends.map((m) => ({
          name: m.label,
          label: Object.assign({formatter: m.label.replace(/[{}]/g, ' '), position: 'insideEndTop',
            backgroundColor: theme.page, padding: [1, 3]}, label),
          [m.at[2] === null ? 'xAxis' : 'yAxis']: m.at[2] === null ? m.at[0] / times.scale : m.at[2],
        })),
      },
      levels: ends.filter((m) => m.at[2] !== null).map((m) => m.at[2]),
    };
  }

  function option(data, chosen, theme, metric, view) {
    const all = seen(data, chosen, metric, view);
    const entities = [...new Set(all.map((t) => t.entity))];
    const arms = data.arms.filter((arm) => all.some((t) => t.arm === arm));
    const perEntity = arms.length === 1 && entities.length > 1;
    const mixed = arms.length > 1 && entities.length > 1;
    // A line that the legend does not list could not be shown again.
    const off = keys(data, chosen, theme, metric, view).map((key) => key.id).filter((id) => chosen.off.has(id));
    const own = all.filter((t) => !off.includes('\u0000' + t.entity) && !off.includes(t.arm));
    if (own.length === 0) return null;
    const last = Math.max(...own.flatMap((t) => t.points.map((p) => p[0])));
    const times = {length: last, scale: last > LONG_SECONDS ? 60 : 1};
    const marked = marks(data, chosen, theme, metric, arms, own, times);
    // A point between two gaps has no line, so it needs a symbol.
    const point = (points, i) => {
      const value = [points[i][0] / times.scale, points[i][1]];
      const gap = (at) => !points[at] || points[at][1] === null;
      return gap(i - 1) && gap(i + 1) ? {value, symbol: 'circle'} : value;
    };
    const drawn = own.map((t) => {
      const style = perEntity ? entityLook(data, theme, t.entity) : charts.look(data, theme, t.arm);
      return {
        name: perEntity ? t.entity : t.arm, id: t.entity + '\u0000' + t.arm, type: 'line',
        data: t.points.map((p, i) => point(t.points, i)), symbol: 'none', symbolSize: 6, itemStyle: {color: style.color},
        lineStyle: {width: 1.6, color: style.color,
          type: mixed ? charts.DASHES[entities.indexOf(t.entity) % charts.DASHES.length] : style.dash},
      };
    });
    Object.assign(drawn[0], {markArea: marked.markArea, markLine: marked.markLine});
    const time = times.scale === 60 ? 'minutes' : 'seconds';
    const values = own.flatMap((t) => t.points.map((p) => p[1])).filter((value) => value !== null);
    const highest = marked.levels.some((level) => level > Math.max(...values)) ? 1.15 * Math.max(...marked.levels) : undefined;
    const wide = ['ms', 'us'].includes(unit(metric)) && charts.isWide(values, 100);
    const result = charts.base(theme, charts.readout(
      drawn.map((line) => ({name: mixed ? line.name + ' ' + line.id.split('\u0000')[0] : line.name, points: line.data.map((p) => p.value || p), color: line.itemStyle.color})),
      (x) => charts.trimmed(x) + ' ' + time, unit(metric)), 'axis');
    return Object.assign(result, {
      grid: {left: 64, right: 24, top: 30, bottom: 52},
      xAxis: charts.axis(theme, {type: 'value', name: time, nameLocation: 'middle', nameGap: 32, splitLine: {show: false},
        min: (v) => (v.min < v.max / 10 ? Math.min(0, v.min) : v.min), max: 'dataMax',
        axisLabel: {color: theme.soft, fontSize: 12, hideOverlap: true, showMaxLabel: false, formatter: charts.trimmed}}),
      yAxis: charts.axis(theme, {type: wide ? 'log' : 'value', name: unit(metric) + (wide ? ', logarithmic' : ''),
        nameTextStyle: {color: theme.soft, fontSize: 12, align: 'left'},
        min: wide ? charts.niceLow(Math.min(...values)) : undefined,
        axisLabel: {color: theme.soft, fontSize: 12, formatter: charts.trimmed, showMaxLabel: highest === undefined},
        max: highest}),
      series: drawn,
    });
  }

  return {views, keys, option};
})();
