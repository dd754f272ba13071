// Fetched together: each file that is fetched by itself adds to what every page loads first.
export { default as AreaPlot } from './area-plot.js';
export { default as SeriesKeys } from './series-keys.js';
export { default as SmallCharts } from './small-charts.js';
