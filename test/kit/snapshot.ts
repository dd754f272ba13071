import type { Snapshot } from '#libs/visit-store';
import type { DataSource } from 'typeorm';
import { createSnapshot } from '../../libs/visit-store/src/snapshot.js';

export { select } from '../../libs/visit-store/src/snapshot.js';

/** Returns a stand-in for a snapshot. Each statement reads the latest state instead. */
export const createLatestSnapshot = (dataSource: Pick<DataSource, 'query'>): Snapshot =>
  createSnapshot((text, parameters) => dataSource.query(text, parameters));
