import { makeDataTemplate } from '../kit/data-template.js';
import { makeRunFolder } from '../kit/run-folder.js';

export default async function globalSetup(): Promise<() => Promise<void>> {
  const removeRunFolder = await makeRunFolder();
  await makeDataTemplate();
  return removeRunFolder;
}
