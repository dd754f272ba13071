/** Creates the folder for data of a run's deployments. */
import { makeRunFolder } from './run-folder.ts';

export default async function makeFolder() {
  globalThis.removeSharedFolder = await makeRunFolder();
}
