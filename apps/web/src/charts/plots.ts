// Loaded as one chunk: every separate chunk adds to the code that all pages load first.
export { default as AreaPlot } from './area-plot.js';
export { default as SeriesKeys } from './series-keys.js';
export { default as SmallCharts } from './small-charts.js';
