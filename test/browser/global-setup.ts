import { createDataTemplate } from '../kit/data-template.js';
import { createRunFolder } from '../kit/run-folder.js';

export default async function globalSetup(): Promise<() => Promise<void>> {
  const removeRunFolder = await createRunFolder();
  await createDataTemplate();
  return removeRunFolder;
}
