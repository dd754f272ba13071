export { MAX_SITEMAP_BYTES } from './decode-sitemap.js';
export { parseSitemap, type ParsedSitemap } from './parse-sitemap.js';
