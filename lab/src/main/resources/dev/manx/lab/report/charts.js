// Options of every chart, from the report's data, what is selected and the theme's colours.
const charts = (function () {
  'use strict';

  // Okabe and Ito's palette, which stays apart for every kind of colour vision; the baseline is grey.
  // Shape and dash tell arms apart where the palette starts again.
  const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b07d00', '#56b4e9', '#8a5fbf'];
  const DARK = ['#4ba3e0', '#f07f3c', '#2fc49a', '#e39ac4', '#e6b43c', '#8fd0f7', '#b797e6'];
  const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'];
  const DASHES = ['solid', 'dashed', 'dotted'];
  const MINUS = 0.999;
  const FASTEST = -Math.log10(0.98);

  function look(data, theme, arm) {
    const palette = theme.dark ? DARK : LIGHT;
    // Arms that are shown together have colours of their own as far as the palette goes.
    const order = data.shown && data.shown.includes(arm) ? data.shown : data.arms;
    const at = order.indexOf(arm) + (order.includes(data.baseline) ? 0 : 1);
    if (arm === data.baseline) {
      return {color: theme.dark ? '#a3a7ad' : '#6b6f75', symbol: 'circle', dash: 'solid'};
    }
    const turn = Math.floor((at - 1) / palette.length);
    return {
      color: palette[(at - 1) % palette.length],
      symbol: SYMBOLS[at % SYMBOLS.length],
      dash: DASHES[turn % DASHES.length],
    };
  }

  // At least three digits, never a power of ten.
  function number(value) {
    if (value === null || value === undefined || !isFinite(value)) return '–';
    const size = Math.abs(value);
    if (size >= 100) return value.toFixed(0);
    if (size === 0) return '0';
    return value.toFixed(Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(size)))));
  }

  function trimmed(value) {
    return String(Number(number(value)));
  }

  // Tooltips are built as nodes, so that a name can never become markup.
  function tip(head, lines) {
    const box = document.createElement('div');
    const title = document.createElement('b');
    title.textContent = head;
    box.append(title);
    for (const line of lines) {
      const row = document.createElement('div');
      row.textContent = line;
      box.append(row);
    }
    return box;
  }

  function base(theme, formatter, trigger) {
    return {
      animation: false,
      backgroundColor: 'transparent',
      textStyle: {color: theme.ink, fontFamily: theme.font},
      tooltip: {
        trigger: trigger || 'item', formatter, confine: true,
        backgroundColor: theme.panel, borderColor: theme.line, textStyle: {color: theme.ink, fontSize: 13},
      },
    };
  }

  function legend(theme, arms) {
    return {
      type: 'scroll', top: 0, left: 56, right: 20, data: arms, textStyle: {color: theme.ink, fontSize: 13},
      pageTextStyle: {color: theme.soft}, itemGap: 18, inactiveColor: theme.line,
    };
  }

  function axis(theme, more) {
    return Object.assign({
      axisLine: {show: true, lineStyle: {color: theme.line}},
      axisTick: {show: false},
      axisLabel: {color: theme.soft, fontSize: 12},
      nameTextStyle: {color: theme.soft, fontSize: 12},
      splitLine: {lineStyle: {color: theme.grid}},
    }, more);
  }

  // With many arms only some are shown at first: the baseline and those with the lowest P99.
  const MANY = 12;
  const SOME = 8;

  function fastest(data) {
    if (data.arms.length <= MANY) return data.arms;
    const p99 = data.quantiles.indexOf('P99');
    const score = (arm) => {
      const own = data.results.filter((r) => r.arm === arm && r.class === data.classes[0] && r.quantiles[p99][0] > 0);
      return own.length === 0 ? Infinity : own.reduce((sum, r) => sum + Math.log(r.quantiles[p99][0]), 0) / own.length;
    };
    const scores = new Map(data.arms.map((arm) => [arm, score(arm)]));
    const best = data.arms.filter((arm) => arm !== data.baseline)
      .sort((a, b) => scores.get(a) - scores.get(b)).slice(0, SOME - 1);
    return data.arms.filter((arm) => arm === data.baseline || best.includes(arm));
  }

  function results(data, chosen) {
    return chosen.arms
      .map((arm) => data.results.find(
        (r) => r.arm === arm && r.class === chosen.class && r.load === chosen.load))
      .filter((r) => r);
  }

  function interval(lo, hi) {
    return lo === null ? '' : '95 % interval ' + number(lo) + '–' + number(hi);
  }

  function curve(data, chosen, theme) {
    const lines = results(data, chosen).filter((r) => r.curve.length > 0);
    if (lines.length === 0) return null;
    const most = Math.max(...lines.flatMap((r) => r.curve.map((p) => p[0])));
    // The fastest requests of all would take half of the scale.
    const least = Math.min(...lines.map((r) => (r.curve.find((p) => p[0] > FASTEST) || r.curve[0])[1]));
    const option = base(theme, (p) => tip(p.seriesName, [
      'P' + trimmedNines(p.value[0]) + ': ' + number(p.value[1]) + ' ms']));
    return Object.assign(option, {
      legend: legend(theme, lines.map((r) => r.arm)),
      grid: {left: 64, right: 24, top: 58, bottom: 52},
      xAxis: axis(theme, {
        type: 'value', min: 0, max: Math.ceil(most * MINUS), interval: 1, name: 'percentile of requests',
        nameLocation: 'middle', nameGap: 32,
        axisLabel: {color: theme.soft, fontSize: 12, formatter: (n) => ninesLabel(n)},
      }),
      yAxis: axis(theme, {
        type: 'log', name: 'ms', nameLocation: 'end', min: niceLow(least), max: (v) => niceHigh(v.max),
        axisLabel: {color: theme.soft, fontSize: 12, formatter: (v) => trimmed(v)},
        minorTick: {show: true, splitNumber: 9}, minorSplitLine: {show: true, lineStyle: {color: theme.grid, opacity: 0.5}},
      }),
      series: lines.map((r) => {
        const style = look(data, theme, r.arm);
        return {
          name: r.arm, type: 'line', data: r.curve, showSymbol: false, symbol: style.symbol, symbolSize: 5,
          lineStyle: {width: 2.2, type: style.dash, color: style.color}, itemStyle: {color: style.color},
          emphasis: {lineStyle: {width: 3}}, triggerLineEvent: true,
        };
      }),
    });
  }

  function ninesLabel(n) {
    if (n === 0) return '0 %';
    if (n === 1) return '90 %';
    return n === 2 ? '99 %' : '99.' + '9'.repeat(n - 2) + ' %';
  }

  function trimmedNines(n) {
    const share = 100 * (1 - Math.pow(10, -n));
    return String(Number(share.toFixed(Math.max(1, Math.ceil(n)))));
  }

  function niceLow(v) {
    return v > 0 ? Math.pow(10, Math.floor(Math.log10(v))) : 0.001;
  }

  function niceHigh(v) {
    return Math.pow(10, Math.ceil(Math.log10(v)));
  }

  // Four panels with their own scale; each arm keeps its place, so a whisker stands on its bar.
  function bars(data, chosen, theme) {
    const rows = results(data, chosen);
    if (rows.length === 0) return null;
    const arms = rows.map((r) => r.arm);
    const panels = data.quantiles.length;
    const rotate = arms.length > 4 || arms.some((a) => a.length > 9) ? 40 : 0;
    const option = base(theme, (p) => {
      const q = rows.find((r) => r.arm === p.seriesName).quantiles[p.seriesId.split(':')[1]];
      return tip(p.seriesName, [number(q[0]) + ' ms', interval(q[1], q[2])]);
    });
    Object.assign(option, {legend: legend(theme, arms), grid: [], xAxis: [], yAxis: [], series: [], title: []});
    data.quantiles.forEach((label, i) => {
      const width = 100 / panels;
      option.title.push({
        text: label, left: (i * width + width / 2 + 1.5) + '%', top: 34, textAlign: 'center',
        textStyle: {color: theme.ink, fontSize: 14, fontWeight: 600},
      });
      option.grid.push({left: (i * width + 4.2) + '%', width: (width - 5) + '%', top: 66, bottom: rotate ? 74 : 34});
      option.xAxis.push(axis(theme, {
        type: 'category', gridIndex: i, data: arms, splitLine: {show: false},
        axisLabel: {color: theme.soft, fontSize: 12, interval: 0, rotate, width: rotate ? 90 : 74, overflow: 'truncate'},
      }));
      option.yAxis.push(axis(theme, {type: 'value', gridIndex: i, min: 0, splitNumber: 4, name: i === 0 ? 'ms' : '',
        nameGap: 10, axisLine: {show: false}, axisLabel: {color: theme.soft, fontSize: 12, formatter: trimmed}}));
      rows.forEach((r, at) => {
        const style = look(data, theme, r.arm);
        const [value, lo, hi] = r.quantiles[i];
        option.series.push({
          name: r.arm, id: 'bar:' + i + ':' + r.arm, type: 'bar', xAxisIndex: i, yAxisIndex: i, barGap: '-100%',
          barMaxWidth: 46, barCategoryGap: '34%', itemStyle: {color: style.color, opacity: r.saturated ? 0.45 : 0.9},
          data: value === null ? [] : [[at, value]],
        });
        option.series.push({
          name: r.arm, id: 'whisker:' + i + ':' + r.arm, type: 'custom', xAxisIndex: i, yAxisIndex: i, z: 5,
          renderItem: upright, encode: {x: 0, y: [1, 2]}, itemStyle: {color: theme.ink},
          data: lo === null ? [] : [[at, lo, hi]],
        });
      });
    });
    return option;
  }

  // Braces and bars would be read as markup of a label.
  function plain(name) {
    return name.replace(/[{}|]/g, ' ');
  }

  function upright(params, api) {
    const low = api.coord([api.value(0), api.value(1)]);
    const high = api.coord([api.value(0), api.value(2)]);
    return whisker(low, high, 6, 0, api.visual('color'));
  }

  function whisker(from, to, dx, dy, stroke, width) {
    const line = (x1, y1, x2, y2) =>
      ({type: 'line', shape: {x1, y1, x2, y2}, style: {stroke, lineWidth: width || 1.5}});
    return {type: 'group', children: [
      line(from[0], from[1], to[0], to[1]),
      line(from[0] - dx, from[1] - dy, from[0] + dx, from[1] + dy),
      line(to[0] - dx, to[1] - dy, to[0] + dx, to[1] + dy),
    ]};
  }

  // On a scale of doublings, so that twice as fast and twice as slow are equally far from 1.
  function ratios(data, chosen, theme) {
    const own = data.comparisons.filter(
      (c) => c.class === chosen.class && c.load === chosen.load && chosen.arms.includes(c.arm));
    const arms = chosen.arms.filter((arm) => own.some((c) => c.arm === arm));
    if (arms.length === 0) return null;
    const rows = arms.flatMap((arm) => data.quantiles.map((quantile) => ({arm, quantile})));
    const ends = own.flatMap((c) => [Math.log2(c.lo), Math.log2(c.hi), 0]);
    const most = Math.max(...ends.map(Math.abs), 0.1);
    const step = most > 2.4 ? 1 : most > 0.8 ? 0.5 : most > 0.35 ? 0.25 : 0.125;
    const low = Math.floor(Math.min(...ends) / step - 0.2) * step;
    const high = Math.ceil(Math.max(...ends) / step + 0.2) * step;
    const option = base(theme, (p) => {
      const c = own.find((x) => x.arm === p.seriesName && x.quantile === rows[p.value[1]].quantile);
      return tip(c.arm + ' at ' + c.quantile, [
        'ratio ' + number(c.ratio), interval(c.lo, c.hi), c.verdict.toLowerCase().replaceAll('_', ' ') + (c.few ? ', of single requests' : '')]);
    });
    Object.assign(option, {
      legend: legend(theme, arms),
      grid: {left: 190, right: 24, top: 40, bottom: 52},
      xAxis: axis(theme, {
        type: 'value', min: low, max: high, interval: step, nameLocation: 'middle', nameGap: 32,
        name: '← arm faster      ratio of latency, arm / ' + data.baseline + '      arm slower →',
        axisLabel: {color: theme.soft, fontSize: 12, formatter: (x) => trimmed(Math.pow(2, x))},
      }),
      yAxis: axis(theme, {
        type: 'category', inverse: true, data: rows.map((r) => r.arm + '\u0000' + r.quantile),
        splitLine: {show: true, interval: (n) => n % data.quantiles.length === 0, lineStyle: {color: theme.grid}},
        axisLabel: {
          color: theme.soft, fontSize: 12, interval: 0, width: 180, overflow: 'truncate',
          formatter: (v, n) => (n % data.quantiles.length === 0 ? '{arm|' + plain(rows[n].arm) + '}   ' : '') + rows[n].quantile,
          rich: {arm: {color: theme.ink, fontSize: 13, fontWeight: 600}},
        },
      }),
      series: [],
      rows: rows.length,
    });
    arms.forEach((arm, n) => {
      const style = look(data, theme, arm);
      const mine = own.filter((c) => c.arm === arm);
      const at = (c) => rows.findIndex((r) => r.arm === arm && r.quantile === c.quantile);
      option.series.push({
        name: arm, id: 'interval:' + arm, type: 'custom', encode: {x: [0, 2], y: 1}, itemStyle: {color: style.color},
        renderItem: (params, api) => whisker(
          api.coord([api.value(0), api.value(1)]), api.coord([api.value(2), api.value(1)]), 0, 5, api.visual('color'), 2),
        data: mine.map((c) => [Math.log2(c.lo), at(c), Math.log2(c.hi)]),
      });
      option.series.push({
        name: arm, id: 'ratio:' + arm, type: 'scatter', symbol: style.symbol, symbolSize: 11, z: 4,
        data: mine.map((c) => ({
          value: [Math.log2(c.ratio), at(c)],
          itemStyle: {
            color: c.few || c.verdict === 'NO_DIFFERENCE' || c.verdict === 'TOO_FEW_ROUNDS' ? theme.page : style.color,
            borderColor: style.color, borderWidth: 2,
          },
        })),
        itemStyle: {color: style.color},
        markLine: n > 0 ? undefined : {
          symbol: 'none', silent: true, label: {show: false}, lineStyle: {color: theme.ink, type: 'solid', width: 1.2},
          data: [{xAxis: 0}],
        },
      });
    });
    return option;
  }

  function rounds(data, chosen, theme) {
    const q = data.quantiles.indexOf(chosen.quantile);
    const lines = results(data, chosen).filter((r) => r.rounds[q].some((v) => v !== null));
    if (lines.length === 0) return null;
    const option = base(theme, (p) => tip(p.seriesName, [
      'round ' + p.name, chosen.quantile + ' ' + number(p.value) + ' ms']));
    return Object.assign(option, {
      legend: legend(theme, lines.map((r) => r.arm)),
      grid: {left: 64, right: 24, top: 58, bottom: 52},
      xAxis: axis(theme, {type: 'category', data: data.blocks, name: 'round', nameLocation: 'middle', nameGap: 32,
        splitLine: {show: false}}),
      yAxis: axis(theme, {type: 'value', min: 0, name: chosen.quantile + ' ms', nameTextStyle: {color: theme.soft, align: 'left'},
        axisLabel: {color: theme.soft, fontSize: 12, formatter: trimmed}}),
      series: lines.map((r) => {
        const style = look(data, theme, r.arm);
        return {
          name: r.arm, type: 'line', data: r.rounds[q], symbol: style.symbol, symbolSize: 9,
          lineStyle: {width: 1, opacity: 0.45, type: style.dash, color: style.color}, itemStyle: {color: style.color},
        };
      }),
    });
  }

  return {
    curve, bars, ratios, rounds, look, fastest, number, trimmed, tip, base, legend, axis, upright, interval,
    LIGHT, DARK, SYMBOLS, DASHES,
  };
})();
