/** Injection token for {@link CatalogSettings}. */
export const CATALOG_SETTINGS = Symbol('catalog settings');

export type { CatalogSettings } from './env.js';
