// Curves over loads and swept parameters: one panel per metric, one line per arm.
const sweeps = (function () {
  'use strict';

  // Each of these has a panel if measured; the others share one, with a choice.
  const PANELS = ['P50 ms', 'P99 ms', 'throughput_per_s', 'utilisation_pct'];

  const WORDS = {throughput_per_s: 'answered /s', utilisation_pct: 'utilisation %'};

  function words(metric) {
    return WORDS[metric] || metric.replaceAll('_', ' ');
  }

  function panels(sweep) {
    const own = PANELS.filter((metric) => sweep.metrics.includes(metric));
    return own.length > 0 ? own : sweep.metrics.slice(0, 2);
  }

  function others(sweep) {
    const first = panels(sweep);
    return sweep.metrics.filter((metric) => !first.includes(metric));
  }

  function label(sweep, value) {
    const named = sweep.kind === 'NAMES' ? sweep.labels[value] : undefined;
    return named !== undefined ? named : charts.trimmed(value) + (sweep.unit ? ' ' + sweep.unit : '');
  }

  function xAxis(sweep, theme, lines, names) {
    const name = sweep.name + (sweep.unit ? ', ' + sweep.unit : '');
    const common = {name, nameLocation: 'middle', nameGap: names ? names.depth + 15 : 30, splitLine: {show: false}};
    if (names) {
      return charts.axis(theme, Object.assign(common, {type: 'category', data: sweep.labels, boundaryGap: true,
        axisLabel: Object.assign({color: theme.soft}, names.label)}));
    }
    const xs = [...new Set(lines.flatMap((line) => line.points.map((p) => p[0])))].sort((a, b) => a - b);
    const [low, high] = [xs[0], xs[xs.length - 1]];
    // The values themselves are the ticks; those that would overlap are left out.
    const ticks = {
      axisTick: {show: true, customValues: xs, lineStyle: {color: theme.line}},
      axisLabel: {color: theme.soft, fontSize: 12, formatter: charts.trimmed, customValues: xs, hideOverlap: true},
    };
    if (sweep.kind === 'LOGARITHMIC') {
      return charts.axis(theme, Object.assign(common, {type: 'log', min: low / 1.15, max: high * 1.15}, ticks));
    }
    const room = (high - low) * 0.05 || 1;
    return charts.axis(theme, Object.assign(common, {type: 'value', min: low < 0 ? low - room : Math.max(low - room, 0), max: high + room}, ticks));
  }

  // A tail that grows a hundredfold with the load would flatten everything else.
  function yAxis(metric, theme, lines) {
    const ys = lines.flatMap((line) => line.points.map((p) => p[1])).filter((y) => y !== null);
    const log = metric.endsWith(' ms') && charts.isWide(ys, 20);
    return charts.axis(theme, {type: log ? 'log' : 'value', min: log ? undefined : 0, axisLine: {show: false},
      axisLabel: {color: theme.soft, fontSize: 12, formatter: charts.trimmed}});
  }

  // One line per arm: its points at the chosen load, and those with a load of their own. A point is
  // [x, value, lower end, upper end, saturated, percentage of failed requests, whether the ends are a range].
  function linesOf(chosen, sweep, metric) {
    const own = sweep.lines.filter((line) => line.metric === metric && line.class === chosen.class
      && (line.load === '' || line.load === chosen.load));
    return chosen.visible.map((arm) => ({
      arm,
      points: own.filter((line) => line.arm === arm)
        .flatMap((line) => line.points.map((p, i) => [...p, line.saturated[i], line.failed[i], line.ranges[i]])).sort((a, b) => a[0] - b[0]),
    })).filter((line) => line.points.length > 0);
  }

  function symbol(theme, style, point) {
    const value = [point[0], point[1]];
    if (point[5] !== null) return {value, symbol: charts.CROSS, symbolSize: 11};
    return point[4] ? {value, itemStyle: charts.hollow(theme, style)} : value;
  }

  function option(data, chosen, theme, sweep, metric) {
    const lines = linesOf(chosen, sweep, metric);
    if (lines.length === 0) return null;
    const result = charts.base(theme, (p) => {
      const point = lines.find((line) => line.arm === p.seriesName).points.find((q) => q[0] === p.value[0]);
      return charts.tip(p.seriesName, [sweep.name + ' ' + label(sweep, point[0]),
        words(metric) + ' ' + charts.number(point[1]), point[2] < point[3] ? charts.interval(data, point[6], point[2], point[3]) : '',
        point[4] ? 'saturated' : '', point[5] === null ? '' : charts.trimmed(point[5]) + ' % failed']);
    });
    result.series = [];
    for (const line of lines) {
      const style = charts.look(data, theme, line.arm);
      result.series.push({
        name: line.arm, id: 'line:' + line.arm, type: 'line',
        data: line.points.map((p) => symbol(theme, style, p)),
        symbol: style.symbol, symbolSize: 7, // No line between names.
        lineStyle: {width: 2, type: style.dash, color: style.color, opacity: sweep.kind === 'NAMES' ? 0.3 : 1},
        itemStyle: {color: style.color},
      });
      const whiskers = line.points.filter((p) => p[2] !== null && p[2] < p[3]).map((p) => [p[0], p[2], p[3]]);
      if (whiskers.length > 0) {
        result.series.push({
          name: line.arm, id: 'interval:' + line.arm, type: 'custom', renderItem: charts.upright, z: 5,
          encode: {x: 0, y: [1, 2]}, itemStyle: {color: style.color}, data: whiskers, silent: true,
        });
      }
    }
    // Panels are side by side on a page that is not narrow.
    const width = (theme.narrow ? theme.width : theme.width / 2 - 14) - 64 - 24;
    const names = sweep.kind === 'NAMES' ? charts.names(sweep.labels, width / sweep.labels.length - 4, 190) : null;
    const foot = names ? names.depth + 37 : 52;
    return Object.assign(result, {
      height: 238 + foot,
      grid: {left: 64, right: 24, top: 16, bottom: foot},
      xAxis: xAxis(sweep, theme, lines, names),
      yAxis: yAxis(metric, theme, lines),
    });
  }

  return {option, panels, others, words};
})();
