// Options of every chart, from the report's data, the selection and the theme's colours.
const charts = (function () {
  'use strict';

  // Okabe and Ito's palette, which stays apart for every kind of colour vision; the baseline is grey.
  // Shape and dash distinguish arms where the palette repeats.
  const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b07d00', '#56b4e9', '#8a5fbf'];
  const DARK = ['#4ba3e0', '#f07f3c', '#2fc49a', '#e39ac4', '#e6b43c', '#8fd0f7', '#b797e6'];
  const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'];
  const DASHES = ['solid', 'dashed', 'dotted'];
  // Entities other than arms (nodes, backends) have separate colours: Paul Tol's muted ones.
  const ENTITY_LIGHT = ['#332288', '#44aa99', '#cc6677', '#999933', '#882255', '#117733', '#aa4499', '#6699cc'];
  const ENTITY_DARK = ['#9a8ee6', '#5fd0bd', '#f08f9f', '#c9c95a', '#d0609c', '#58b878', '#d684c9', '#9cc8ee'];
  const MINUS = 0.999;
  const FASTEST = -Math.log10(0.98);

  function look(data, theme, arm) {
    const palette = theme.dark ? DARK : LIGHT;
    // Arms shown together have different colours as far as the palette goes.
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

  function entityLook(theme, at) {
    const palette = theme.dark ? ENTITY_DARK : ENTITY_LIGHT;
    return {color: palette[at % palette.length], symbol: null, dash: DASHES[Math.floor(at / palette.length) % DASHES.length]};
  }

  // The symbol of a result of which requests failed: a cross.
  const CROSS = 'path://M1,0L5,4L9,0L10,1L6,5L10,9L9,10L5,6L1,10L0,9L4,5L0,1Z';

  // The symbol of a saturated result.
  function hollow(theme, style) {
    return {color: theme.page, borderColor: style.color, borderWidth: 1.6};
  }

  // At least three digits, never scientific notation; five or more digits in groups.
  function number(value) {
    return grouped(digits(value));
  }

  function trimmed(value) {
    return grouped(String(Number(digits(value))));
  }

  function grouped(text) {
    const [whole, part] = text.split('.');
    if (whole.replace('-', '').length < 5) return text;
    return whole.replace(/\B(?=(\d{3})+$)/g, '\u2009') + (part ? '.' + part : '');
  }

  function digits(value) {
    if (value === null || value === undefined || !isFinite(value)) return '–';
    const size = Math.abs(value);
    if (size >= 100) return value.toFixed(0);
    if (size === 0) return '0';
    return value.toFixed(Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(size)))));
  }

  // With such a ratio, values would look flat on a scale from zero.
  function isWide(values, times) {
    const some = values.filter((v) => v !== null && isFinite(v));
    const least = Math.min(...some);
    return some.length > 0 && least > 0 && Math.max(...some) / least > times;
  }

  // Tooltips are built as nodes, so that a name can never become markup.
  function tip(head, lines) {
    const box = document.createElement('div');
    const title = document.createElement('b');
    title.textContent = head;
    box.append(title);
    for (const line of lines) {
      const row = document.createElement('div');
      if (line.color) {
        const dot = document.createElement('span');
        dot.className = 'dot';
        dot.style.background = line.color;
        row.append(dot);
      }
      row.append(line.text === undefined ? line : line.text);
      box.append(row);
    }
    return box;
  }

  // The value nearest to x; null in a gap, and beyond half a step outside the line.
  function nearest(points, x) {
    if (points.length === 0) return null;
    let low = 0;
    let high = points.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (points[middle][0] <= x) low = middle;
      else high = middle;
    }
    const [before, after] = [points[low], points[high]];
    const outside = Math.max(before[0] - x, x - after[0]);
    if (points.length > 1 && outside > (after[0] - before[0]) / 2) return null;
    return x - before[0] < after[0] - x ? before[1] : after[1];
  }

  // Values of all lines at the pointer, the largest first. Lines may have points at different x.
  function readout(lines, head, unit) {
    return (at) => {
      const x = at[0].axisValue;
      const rows = lines.map((line) => ({line, y: nearest(line.points, x)})).filter((row) => row.y !== null);
      rows.sort((a, b) => b.y - a.y);
      return tip(head(x), rows.map((row) => ({text: row.line.name + ': ' + number(row.y) + ' ' + unit, color: row.line.color})));
    };
  }

  function base(theme, formatter, trigger) {
    return {
      animation: false,
      legend: {show: false},
      backgroundColor: 'transparent',
      textStyle: {color: theme.ink, fontFamily: theme.font},
      tooltip: {
        trigger: trigger || 'item', formatter, confine: true, axisPointer: {lineStyle: {color: theme.soft, type: 'solid'}},
        backgroundColor: theme.panel, borderColor: theme.line, textStyle: {color: theme.ink, fontSize: 13},
      },
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

  // Names along a horizontal axis: in lines if their words fit, else upright. Six and a half pixels a letter.
  function names(texts, width, most) {
    const wide = (text) => Math.ceil(text.length * 6.5);
    const label = {fontSize: 12, interval: 0};
    if (texts.every((text) => text.split(' ').every((word) => wide(word) <= width))) {
      const lines = Math.max(...texts.map((text) => Math.ceil(wide(text) / width) + (text.includes(' ') ? 1 : 0)));
      return {label: Object.assign(label, {width, lineHeight: 15, overflow: 'break'}), depth: 15 * lines};
    }
    const depth = Math.min(most, Math.max(...texts.map(wide)));
    return {label: Object.assign(label, {rotate: 90, width: depth, overflow: 'truncate'}), depth};
  }

  // With many arms only some are shown at first: the baseline and those with the lowest P99. The latency
  // of a saturated arm depends on the length of the run, so arms that keep up at more loads come first.
  const MANY = 12;
  const SOME = 8;

  function fastest(data) {
    if (data.arms.length <= MANY) return data.arms;
    const p99 = data.quantiles.indexOf('P99');
    const score = (arm) => {
      const own = data.results.filter(
        (r) => r.arm === arm && r.class === data.classes[0] && r.quantiles[p99][0] > 0 && !r.saturated);
      const sum = own.reduce((total, r) => total + Math.log(r.quantiles[p99][0]), 0);
      return {loads: own.length, mean: own.length === 0 ? 0 : sum / own.length};
    };
    const scores = new Map(data.arms.map((arm) => [arm, score(arm)]));
    const order = (a, b) => b.loads - a.loads || a.mean - b.mean;
    const best = data.arms.filter((arm) => arm !== data.baseline)
      .sort((a, b) => order(scores.get(a), scores.get(b))).slice(0, SOME - 1);
    return data.arms.filter((arm) => arm === data.baseline || best.includes(arm));
  }

  function results(data, chosen) {
    return chosen.visible
      .map((arm) => data.results.find(
        (r) => r.arm === arm && r.class === chosen.class && r.load === chosen.load))
      .filter((r) => r);
  }

  // If a report has both, its words begin with those of an interval.
  function interval(data, range, lo, hi) {
    const words = range ? 'range of the rounds' : data.interval.split(';')[0];
    return lo === null ? '' : words + ' ' + number(lo) + '–' + number(hi);
  }

  function curve(data, chosen, theme) {
    const lines = results(data, chosen).filter((r) => r.curve.length > 0);
    if (lines.length === 0) return null;
    const most = Math.max(...lines.flatMap((r) => r.curve.map((p) => p[0])));
    // The fastest requests of all would take half of the scale.
    const least = Math.min(...lines.map((r) => (r.curve.find((p) => p[0] > FASTEST) || r.curve[0])[1]));
    const option = base(theme, readout(
      lines.map((r) => ({name: r.arm, points: r.curve, color: look(data, theme, r.arm).color})),
      (x) => 'P' + trimmedNines(x), 'ms'), 'axis');
    return Object.assign(option, {
      grid: {left: 64, right: 40, top: 30, bottom: 52},
      xAxis: axis(theme, {
        type: 'value', min: 0, max: Math.ceil(most * MINUS), interval: 1, name: 'percentile of requests',
        nameLocation: 'middle', nameGap: 32,
        axisLabel: {color: theme.soft, fontSize: 12, hideOverlap: true, formatter: (n) => ninesLabel(n)},
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
          lineStyle: {width: 2.2, type: style.dash, color: style.color, opacity: r.saturated ? 0.45 : 1},
          itemStyle: {color: style.color},
          emphasis: {lineStyle: {width: 3}},
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

  // Four panels with their own scale; each arm keeps its position, so whiskers are on their bars. Bars
  // have no length on a logarithmic scale: where one would dwarf the others, points are drawn instead.
  const DWARFS = 50;
  const GUTTER = 64;

  function bars(data, chosen, theme) {
    const rows = results(data, chosen);
    if (rows.length === 0) return null;
    const arms = rows.map((r) => r.arm);
    // As many side by side as leave room for the names.
    const columns = [4, 2].find((n) => theme.width / n >= GUTTER + 14 + 22 * arms.length) || 1;
    const width = theme.width / columns;
    const rotate = arms.some((a) => a.length * 7 > (width - GUTTER) / arms.length) ? 40 : 0;
    const foot = rotate ? 84 : 34;
    const high = 232 + foot;
    const option = base(theme, (p) => {
      const row = rows.find((r) => r.arm === p.seriesName);
      const i = p.seriesId.split(':')[1];
      const q = row.quantiles[i];
      return tip(p.seriesName, [number(q[0]) + ' ms', interval(data, row.ranges[i], q[1], q[2])]);
    });
    Object.assign(option, {grid: [], xAxis: [], yAxis: [], series: [], title: []});
    data.quantiles.forEach((label, i) => {
      const left = (i % columns) * width;
      const top = Math.floor(i / columns) * high;
      const values = rows.map((r) => r.quantiles[i][0]).filter((v) => v !== null);
      const wide = isWide(values, DWARFS);
      const least = Math.min(...rows.flatMap((r) => r.quantiles[i].slice(0, 2)).filter((v) => v !== null));
      option.title.push({
        text: label + ' ms' + (wide ? ', logarithmic' : ''), left: left + GUTTER, top: top + 10, padding: 0,
        textStyle: {color: theme.ink, fontSize: 14, fontWeight: 600},
      });
      option.grid.push({left: left + GUTTER, width: width - GUTTER - 14, top: top + 40, height: high - 40 - foot});
      option.xAxis.push(axis(theme, {
        type: 'category', gridIndex: i, data: arms, splitLine: {show: false},
        axisLabel: {color: theme.soft, fontSize: 12, interval: 0, rotate, width: rotate ? 96 : 74, overflow: 'truncate'},
      }));
      option.yAxis.push(axis(theme, {type: wide ? 'log' : 'value', gridIndex: i, min: wide ? niceLow(least) : 0,
        max: wide ? (v) => niceHigh(v.max) : undefined, splitNumber: 4, axisLine: {show: false},
        axisLabel: {color: theme.soft, fontSize: 12, formatter: trimmed}}));
      rows.forEach((r, at) => {
        const style = look(data, theme, r.arm);
        const [value, lo, hi] = r.quantiles[i];
        option.series.push({
          name: r.arm, id: 'bar:' + i + ':' + r.arm, type: wide ? 'scatter' : 'bar', xAxisIndex: i, yAxisIndex: i, barGap: '-100%',
          symbol: style.symbol, symbolSize: 11,
          barMaxWidth: 46, barCategoryGap: '34%', itemStyle: {color: style.color, opacity: r.saturated ? 0.45 : 0.9},
          data: value === null ? [] : [[at, value]],
        });
        option.series.push({
          name: r.arm, id: 'whisker:' + i + ':' + r.arm, type: 'custom', xAxisIndex: i, yAxisIndex: i, z: 5,
          renderItem: upright, encode: {x: 0, y: [1, 2]}, itemStyle: {color: theme.ink},
          data: lo === null || lo === hi ? [] : [[at, lo, hi]],
        });
      });
    });
    option.height = Math.ceil(data.quantiles.length / columns) * high;
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

  // Round ratios, for an axis of doublings from low to high.
  function ratioTicks(low, high, most) {
    const span = high - low;
    const within = (ratios) => ratios.map(Math.log2).filter((x) => x >= low && x <= high);
    if (span <= 2.6) {
      const steps = [0.02, 0.05, 0.1, 0.2, 0.25, 0.5];
      const inside = (step) => within([...new Set([...Array(200).keys()].map((i) => Number(((i + 1) * step).toFixed(2))).concat(1))]);
      const fit = steps.map(inside).find((ticks) => ticks.length <= most);
      if (fit) return fit;
    }
    const step = Math.ceil(span / most);
    const ticks = [];
    for (let x = Math.ceil(low / step) * step; x <= high; x += step) ticks.push(x);
    return ticks;
  }

  function ratioLabel(x) {
    const ratio = Math.pow(2, x);
    return ratio < 0.2 && Number.isInteger(x) ? '1/' + trimmed(Math.pow(2, -x)) : trimmed(ratio);
  }

  // On a scale of doublings, so that twice as fast and twice as slow are equally far from 1.
  function ratios(data, chosen, theme) {
    const own = data.comparisons.filter(
      (c) => c.class === chosen.class && c.load === chosen.load && chosen.visible.includes(c.arm));
    const arms = chosen.visible.filter((arm) => own.some((c) => c.arm === arm));
    if (arms.length === 0) return null;
    const rows = arms.flatMap((arm) => data.quantiles.map((quantile) => ({arm, quantile})));
    const ends = own.flatMap((c) => [Math.log2(c.lo), Math.log2(c.hi), 0]);
    const room = Math.max(0.06 * (Math.max(...ends) - Math.min(...ends)), 0.02);
    const low = Math.min(...ends) - room;
    const high = Math.max(...ends) + room;
    const left = Math.min(Math.max(...arms.map((arm) => arm.length)) * 7.8 + 66, theme.narrow ? 150 : 330);
    const short = (name) => {
      const fits = Math.floor((left - 60) / 7.8);
      return plain(name.length > fits ? name.slice(0, fits - 1) + '…' : name);
    };
    const ticks = ratioTicks(low, high, theme.narrow ? 5 : 10);
    const option = base(theme, (p) => {
      const c = own.find((x) => x.arm === p.seriesName && x.quantile === rows[p.value[1]].quantile);
      return tip(c.arm + ' at ' + c.quantile, [
        'ratio ' + number(c.ratio), interval(data, c.range, c.lo, c.hi), c.verdict.toLowerCase().replaceAll('_', ' ')]);
    });
    Object.assign(option, {
      grid: {left, right: 24, top: 12, bottom: 52},
      xAxis: axis(theme, {
        type: 'value', min: low, max: high, nameLocation: 'middle', nameGap: 32,
        name: theme.narrow ? '← faster   arm / ' + plain(data.baseline) + '   slower →'
          : '← arm faster      ratio of latency, arm / ' + data.baseline + '      arm slower →',
        axisTick: {show: false, customValues: ticks},
        axisLabel: {color: theme.soft, fontSize: 12, customValues: ticks, formatter: ratioLabel},
      }),
      yAxis: axis(theme, {
        type: 'category', inverse: true, data: rows.map((r) => r.arm + '\u0000' + r.quantile),
        splitLine: {show: true, interval: (n) => n % data.quantiles.length === 0, lineStyle: {color: theme.grid}},
        axisLabel: {
          color: theme.soft, fontSize: 12, interval: 0,
          formatter: (v, n) => (n % data.quantiles.length === 0 ? '{arm|' + short(rows[n].arm) + '}   ' : '') + rows[n].quantile,
          rich: {arm: {color: theme.ink, fontSize: 13, fontWeight: 600}},
        },
      }),
      series: [],
      height: 82 + 24 * rows.length,
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
            color: ['LOWER', 'HIGHER'].includes(c.verdict) ? style.color : theme.page,
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

  // Name of a round: 3, or 2/3 for the third of seed 2; the seed if each has one round.
  function blocks(data) {
    if (!data.blocks.every((block) => block.includes('/'))) return {name: 'round', text: (block) => block};
    return data.blocks.every((block) => block.endsWith('/1'))
      ? {name: 'seed', text: (block) => block.slice(0, -2)} : {name: 'seed/round', text: (block) => block};
  }

  function rounds(data, chosen, theme) {
    const q = data.quantiles.indexOf(chosen.quantile);
    const lines = results(data, chosen).filter((r) => r.rounds[q].some((v) => v !== null));
    if (lines.length === 0) return null;
    const option = base(theme, (p) => tip(p.seriesName, [
      blocks(data).name + ' ' + p.name, chosen.quantile + ' ' + number(p.value) + ' ms']));
    const wide = isWide(lines.flatMap((r) => r.rounds[q]), 20);
    const words = blocks(data);
    return Object.assign(option, {
      grid: {left: 64, right: 24, top: 30, bottom: 52},
      xAxis: axis(theme, {type: 'category', data: data.blocks.map(words.text), name: words.name, nameLocation: 'middle', nameGap: 32,
        splitLine: {show: false}}),
      yAxis: axis(theme, {type: wide ? 'log' : 'value', min: wide ? undefined : 0, name: chosen.quantile + ' ms',
        nameTextStyle: {color: theme.soft, align: 'left'}, axisLabel: {color: theme.soft, fontSize: 12, formatter: trimmed}}),
      series: lines.map((r) => {
        const style = look(data, theme, r.arm);
        return {
          name: r.arm, type: 'line', data: r.rounds[q], symbol: style.symbol, symbolSize: 9,
          lineStyle: {width: 1, opacity: 0.45, type: style.dash, color: style.color},
          itemStyle: r.saturated ? hollow(theme, style) : {color: style.color},
        };
      }),
    });
  }

  return {
    curve, bars, ratios, rounds, results, blocks, look, hollow, entityLook, fastest, number, trimmed, isWide, niceLow, tip, readout, base, axis, names,
    upright, interval, DASHES, CROSS,
  };
})();
