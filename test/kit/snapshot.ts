import type { Snapshot } from '#libs/visit-store';
import type { DataSource } from 'typeorm';
import { snapshotOf } from '../../libs/visit-store/src/snapshot.js';

export { select } from '../../libs/visit-store/src/snapshot.js';

/** Stands for a snapshot, but each statement reads the newest state. */
export const newestState = (dataSource: Pick<DataSource, 'query'>): Snapshot =>
  snapshotOf((text, parameters) => dataSource.query(text, parameters));
