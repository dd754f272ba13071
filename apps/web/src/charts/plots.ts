// Grouped into one chunk, because each lazy chunk adds code to the initial load of every page.
export { default as BarPlot } from './bar-plot.js';
export { default as SeriesKeys } from './series-keys.js';
export { default as SmallCharts } from './small-charts.js';
