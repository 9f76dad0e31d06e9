// Every arm in every column: colour is the percentile over the reference, in doublings.
const heatmap = (function () {
  'use strict';

  // Blue and orange are distinct for every kind of colour vision; the scale ends at 8 times.
  const MOST = 3;
  // A cell contains its number, and a column's name if that is short.
  const CELL = 60;
  const NUMBER = 48;
  const LETTER = 7;
  const LIGHT = {low: [0, 114, 178], mid: [247, 247, 245], high: [196, 78, 0]};
  const DARK = {low: [60, 150, 220], mid: [40, 44, 50], high: [232, 112, 40]};

  function colour(theme, doublings) {
    const scale = theme.dark ? DARK : LIGHT;
    const end = doublings < 0 ? scale.low : scale.high;
    const share = Math.min(1, Math.abs(doublings) / MOST);
    return scale.mid.map((m, i) => Math.round(m + (end[i] - m) * share));
  }

  function ink(rgb) {
    const bright = (0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]) / 255;
    return bright > 0.55 ? '#1c1d1f' : '#ffffff';
  }

  function option(data, chosen, theme) {
    const grid = data.grid;
    const q = data.quantiles.indexOf(chosen.quantile);
    const value = (arm, column) => {
      const cell = grid.cells.find((c) => c.arm === arm && c.column === column);
      return cell && cell.ms[q] > 0 ? cell : null;
    };
    // The best of several arms, such as ideals, or the baseline alone; none if all of them were saturated or failing.
    const bases = grid.columns.map((label, column) => value(grid.bases[q][column], column));
    // If the columns do not fit the page, arms are across and the conditions below each other.
    const indent = (names) => Math.min(Math.max(...names.map((name) => name.length)) * LETTER + 14, theme.narrow ? 130 : 250);
    const needed = (rows, columns, cell) => indent(rows) + 16 + cell * columns.length;
    const turned = grid.columns.length > data.arms.length && needed(data.arms, grid.columns, CELL) > theme.width;
    const across = turned ? data.arms : grid.columns;
    const down = turned ? grid.columns : data.arms;
    const armAt = (p) => data.arms[p.value[turned ? 0 : 1]];
    const columnAt = (p) => p.value[turned ? 1 : 0];
    const points = [];
    data.arms.forEach((arm, at) => grid.columns.forEach((label, column) => {
      const cell = value(arm, column);
      if (!cell) return;
      const ratio = bases[column] ? cell.ms[q] / bases[column].ms[q] : 1;
      const rgb = colour(theme, Math.log2(ratio));
      points.push({
        value: turned ? [at, column, ratio] : [column, at, ratio],
        itemStyle: {
          color: 'rgb(' + rgb.join(',') + ')', borderColor: theme.page, borderWidth: 2,
          decal: cell.saturated
            ? {symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [1, 8], rotation: -Math.PI / 4, color: theme.soft} : undefined,
        },
        failed: cell.failed,
        label: {color: cell.saturated ? theme.ink : ink(rgb), backgroundColor: cell.saturated ? theme.page : undefined, padding: [3, 5]},
      });
    }));
    if (points.length === 0) return null;
    const result = charts.base(theme, (p) => {
      const cell = value(armAt(p), columnAt(p));
      const best = bases[columnAt(p)];
      return charts.tip(cell.arm, [grid.columns[columnAt(p)], chosen.quantile + ' ' + charts.number(cell.ms[q]) + ' ms',
        best
          ? charts.number(p.value[2]) + ' x ' + best.arm + ' (' + charts.number(best.ms[q]) + ' ms)'
          : 'not compared: ' + data.heatArms.join(', ') + ' saturated, failing or not measured',
        cell.saturated ? 'saturated' : '', cell.failed ? charts.trimmed(cell.failed) + ' % failed' : '']);
    });
    const left = indent(down);
    // Columns that do not fit even so are scrolled.
    const whole = Math.max(theme.width, needed(down, across, turned ? NUMBER : CELL));
    const names = charts.names(across, (whole - left - 16) / across.length - 6, 250);
    return Object.assign(result, {
      aria: {enabled: true, label: {enabled: false}, decal: {show: false}},
      grid: {left, right: 16, top: 16 + names.depth, bottom: 12},
      xAxis: charts.axis(theme, {type: 'category', position: 'top', data: across, splitLine: {show: false}, axisLine: {show: false},
        axisLabel: Object.assign({color: theme.soft}, names.label)}),
      yAxis: charts.axis(theme, {type: 'category', inverse: true, data: down, splitLine: {show: false}, axisLine: {show: false},
        axisLabel: {color: theme.ink, fontSize: 12, interval: 0, width: left - 12, overflow: 'truncate'}}),
      series: [{
        name: chosen.quantile, type: 'heatmap', data: points, emphasis: {itemStyle: {borderColor: theme.ink}},
        label: {show: true, fontSize: 12, formatter: (p) => (bases[columnAt(p)] ? charts.number(p.value[2]) : '–') + (p.data.failed ? ' !' : '')},
      }],
      // The series needs a mapping; each cell carries its own colour.
      visualMap: {show: false, min: 0, max: 1, dimension: 2, inRange: {opacity: 1}},
      width: whole,
      height: 38 + names.depth + 24 * down.length,
    });
  }

  return {option};
})();
