import { makeDataTemplate } from '../kit/data-template.js';
import { makeRunFolder } from '../kit/run-folder.js';

/** Makes what the instances of the run begin with. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const removeRunFolder = await makeRunFolder();
  await makeDataTemplate();
  return removeRunFolder;
}
