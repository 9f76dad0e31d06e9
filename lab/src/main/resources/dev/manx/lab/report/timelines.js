// Values over time: one chart per metric; every arm of one entity, every entity of one arm, or all.
const timelines = (function () {
  'use strict';

  const FEW = 12;

  function lines(data, chosen, metric) {
    const own = data.timelines.filter((t) => t.metric === metric && t.block === chosen.block
      && (t.load === '' || t.load === chosen.load));
    const mine = own.filter((t) => t.entity === chosen.class);
    return ofClasses(data, own) && mine.length > 0 ? mine : own;
  }

  // Where the entities are the classes, the switch of classes chooses among them.
  function ofClasses(data, own) {
    return own.length > 0 && own.every((t) => t.entity !== 'all' && data.classes.includes(t.entity));
  }

  // What a chart can show, the best first.
  function views(data, chosen, metric) {
    const own = lines(data, chosen, metric);
    const entities = [...new Set(own.map((t) => t.entity))];
    const arms = data.arms.filter((arm) => own.some((t) => t.arm === arm));
    const all = own.length <= FEW ? [{text: 'all lines', arm: null, entity: null}] : [];
    const byEntity = entities.map((entity) => ({text: 'every arm: ' + entity, arm: null, entity}));
    const byArm = arms.map((arm) => ({text: 'every entity: ' + arm, arm, entity: null}));
    if (entities.length < 2) return all.concat(byEntity);
    if (arms.length < 2) return all.concat(byArm);
    return all.concat(entities.length > arms.length ? byArm.concat(byEntity) : byEntity.concat(byArm));
  }

  function entityLook(theme, at) {
    const palette = theme.dark ? charts.DARK : charts.LIGHT;
    return {color: palette[at % palette.length], dash: charts.DASHES[Math.floor(at / palette.length) % charts.DASHES.length]};
  }

  function marks(data, chosen, theme, metric, arms, own) {
    const mine = data.marks.filter((m) => (m.metric === '' || m.metric === metric) && (m.arm === 'all' || arms.includes(m.arm))
      && (m.load === 'all' || m.load === chosen.load) && (m.block === 'all' || m.block === chosen.block)
      && (m.at[2] === null || m.metric === metric)
      && (m.class === 'all' || m.class === chosen.class || !ofClasses(data, own)));
    const seen = new Set();
    const once = mine.filter((m) => {
      const key = JSON.stringify([m.label, m.at]);
      return !seen.has(key) && seen.add(key);
    });
    const label = {show: true, color: theme.soft, fontSize: 12};
    const areas = once.filter((m) => m.at[0] !== null && m.at[1] !== null);
    const ends = once.filter((m) => m.at[2] !== null || (m.at[0] !== null && m.at[1] === null));
    return {
      markArea: areas.length === 0 ? undefined : {
        silent: true, itemStyle: {color: theme.dark ? 'rgba(230,180,60,0.13)' : 'rgba(176,125,0,0.10)'},
        label: Object.assign({position: 'insideTop'}, label),
        data: areas.map((m) => [{name: m.label, xAxis: m.at[0]}, {xAxis: m.at[1]}]),
      },
      markLine: ends.length === 0 ? undefined : {
        silent: true, symbol: 'none', lineStyle: {color: theme.soft, type: 'dashed', width: 1.2},
        data: ends.map((m) => ({
          name: m.label,
          label: Object.assign({formatter: m.label.replace(/[{}]/g, ' '), position: m.at[2] === null ? 'insideEndTop' : 'insideStartTop'}, label),
          [m.at[2] === null ? 'xAxis' : 'yAxis']: m.at[2] === null ? m.at[0] : m.at[2],
        })),
      },
      levels: ends.filter((m) => m.at[2] !== null).map((m) => m.at[2]),
    };
  }

  function option(data, chosen, theme, metric, view) {
    const own = view ? lines(data, chosen, metric).filter((t) => (view.arm === null || t.arm === view.arm)
      && (view.entity === null || t.entity === view.entity)) : [];
    if (own.length === 0) return null;
    const entities = [...new Set(own.map((t) => t.entity))];
    const arms = data.arms.filter((arm) => own.some((t) => t.arm === arm));
    const perEntity = arms.length === 1 && entities.length > 1;
    const mixed = arms.length > 1 && entities.length > 1;
    const marked = marks(data, chosen, theme, metric, arms, own);
    const drawn = own.map((t) => {
      const style = perEntity ? entityLook(theme, entities.indexOf(t.entity)) : charts.look(data, theme, t.arm);
      return {
        name: perEntity ? t.entity : t.arm, id: t.entity + '\u0000' + t.arm, type: 'line', data: t.points,
        showSymbol: t.points.length < 2, symbolSize: 6, itemStyle: {color: style.color}, triggerLineEvent: true,
        lineStyle: {width: 1.6, color: style.color,
          type: mixed ? charts.DASHES[entities.indexOf(t.entity) % charts.DASHES.length] : style.dash},
      };
    });
    Object.assign(drawn[0], {markArea: marked.markArea, markLine: marked.markLine});
    const result = charts.base(theme, (p) => tooltip(p, perEntity ? arms[0] : ''));
    return Object.assign(result, {
      legend: charts.legend(theme, perEntity ? entities : arms),
      grid: {left: 64, right: 24, top: 58, bottom: 52},
      xAxis: charts.axis(theme, {type: 'value', name: 'seconds' + (mixed
        ? '  (' + entities.map((e, i) => e + ' ' + charts.DASHES[i % charts.DASHES.length]).join(', ') + ')' : ''),
      nameLocation: 'middle', nameGap: 32, splitLine: {show: false}, min: 'dataMin', max: 'dataMax'}),
      yAxis: charts.axis(theme, {type: 'value', axisLabel: {color: theme.soft, fontSize: 12, formatter: charts.trimmed},
        max: marked.levels.length === 0 ? undefined : (v) => Math.max(v.max, ...marked.levels)}),
      series: drawn,
    });
  }

  function tooltip(p, arm) {
    if (p.componentType !== 'series') return '';
    return charts.tip(p.seriesName, [arm || p.seriesId.split('\u0000')[0],
      charts.number(p.value[0]) + ' s: ' + charts.number(p.value[1])]);
  }

  return {views, option};
})();
