/** Creates the folder where deployments store their data during a test run. */
import { createRunFolder } from './run-folder.ts';

export default async function createSharedFolder() {
  globalThis.removeSharedFolder = await createRunFolder();
}
