import { makeDataTemplate } from '../kit/data-template.js';
import { removeFolder } from '../kit/run-folder.js';

/** Makes what the instances of the run begin with. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const folder = await makeDataTemplate();
  return () => removeFolder(folder);
}
