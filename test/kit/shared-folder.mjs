/** Makes the folder that the data of a run's deployments is in. */
import { makeRunFolder } from './run-folder.ts';

export default async function makeFolder() {
  globalThis.removeSharedFolder = await makeRunFolder();
}
