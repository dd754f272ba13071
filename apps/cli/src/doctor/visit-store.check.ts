import { createDataSource } from '#libs/database';
import { checkVisitStore, type VisitStoreOptions } from '#libs/visit-store';
import type { Finding } from './finding.js';

/** Checks the database that stores the visits, if it isn't PostgreSQL. */
export async function checkStoredVisits(url: string, options: VisitStoreOptions | null): Promise<Finding[]> {
  const database = await createDataSource({ url, poolSize: 1, applicationName: 'doctor' }).initialize();
  try {
    return await checkVisitStore(database, options);
  } finally {
    await database.destroy();
  }
}
