// Every arm in every column: colour is the percentile over the reference, in doublings.
const heatmap = (function () {
  'use strict';

  // Blue and orange are distinct for every kind of colour vision; the scale ends at 8 times.
  const MOST = 3;
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
    // The best of several arms, such as ideals, or the baseline alone; none if all of them were saturated.
    const bases = grid.columns.map((label, column) => value(grid.bases[q][column], column));
    const points = [];
    data.arms.forEach((arm, row) => grid.columns.forEach((label, column) => {
      const cell = value(arm, column);
      if (!cell) return;
      const ratio = bases[column] ? cell.ms[q] / bases[column].ms[q] : 1;
      const rgb = colour(theme, Math.log2(ratio));
      points.push({
        value: [column, row, ratio],
        itemStyle: {
          color: 'rgb(' + rgb.join(',') + ')', borderColor: theme.page, borderWidth: 2,
          decal: cell.saturated
            ? {symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [1, 8], rotation: -Math.PI / 4, color: theme.soft} : undefined,
        },
        label: {color: cell.saturated ? theme.ink : ink(rgb), backgroundColor: cell.saturated ? theme.page : undefined, padding: [3, 5]},
      });
    }));
    if (points.length === 0) return null;
    const result = charts.base(theme, (p) => {
      const cell = value(data.arms[p.value[1]], p.value[0]);
      return charts.tip(cell.arm, [grid.columns[p.value[0]], chosen.quantile + ' ' + charts.number(cell.ms[q]) + ' ms',
        bases[p.value[0]]
          ? charts.number(p.value[2]) + ' x ' + bases[p.value[0]].arm + ' (' + charts.number(bases[p.value[0]].ms[q]) + ' ms)'
          : 'not compared: ' + data.heatArms.join(', ') + ' saturated or not measured',
        cell.saturated ? 'saturated' : '']);
    });
    const left = Math.min(Math.max(...data.arms.map((arm) => arm.length)) * 7 + 14, theme.narrow ? 130 : 250);
    // A cell contains its number; columns that do not fit the page are scrolled.
    const whole = Math.max(theme.width, left + 16 + 60 * grid.columns.length);
    const width = (whole - left - 16) / grid.columns.length - 6;
    // Six and a half pixels a letter, and words break where they must.
    const deep = Math.max(...grid.columns.map((label) => Math.ceil(label.length * 6.5 / width) + (label.includes(' ') ? 1 : 0)));
    return Object.assign(result, {
      aria: {enabled: true, decal: {show: false}},
      grid: {left, right: 16, top: 16 + 15 * deep, bottom: 12},
      xAxis: charts.axis(theme, {type: 'category', position: 'top', data: grid.columns, splitLine: {show: false}, axisLine: {show: false},
        axisLabel: {color: theme.soft, fontSize: 12, interval: 0, width, lineHeight: 15, overflow: 'break'}}),
      yAxis: charts.axis(theme, {type: 'category', inverse: true, data: data.arms, splitLine: {show: false}, axisLine: {show: false},
        axisLabel: {color: theme.ink, fontSize: 12, interval: 0, width: left - 12, overflow: 'truncate'}}),
      series: [{
        name: chosen.quantile, type: 'heatmap', data: points, emphasis: {itemStyle: {borderColor: theme.ink}},
        label: {show: true, fontSize: 12, formatter: (p) => (bases[p.value[0]] ? charts.number(p.value[2]) : '–')},
      }],
      // The series needs a mapping; each cell carries its own colour.
      visualMap: {show: false, min: 0, max: 1, dimension: 2, inRange: {opacity: 1}},
      width: whole,
      height: 38 + 24 * (data.arms.length + deep),
    });
  }

  return {option};
})();
