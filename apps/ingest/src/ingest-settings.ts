/** Injection token for {@link IngestSettings}. */
export const INGEST_SETTINGS = Symbol('ingest settings');

export type { IngestSettings } from './env.js';
