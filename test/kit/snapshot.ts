import type { Snapshot } from '#libs/visit-store';
import type { DataSource } from 'typeorm';
import { snapshotOf } from '../../libs/visit-store/src/snapshot.js';

export { select } from '../../libs/visit-store/src/snapshot.js';

/** Returns a replacement for a snapshot in which each statement reads the latest state. */
export const newestState = (dataSource: Pick<DataSource, 'query'>): Snapshot =>
  snapshotOf((text, parameters) => dataSource.query(text, parameters));
