import { makeDataTemplate } from '../kit/data-template.js';
import { makeRunFolder } from '../kit/run-folder.js';

/** Creates the run folder and the initial data for the instances. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const removeRunFolder = await makeRunFolder();
  await makeDataTemplate();
  return removeRunFolder;
}
