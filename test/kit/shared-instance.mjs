/** Starts the instance that the system tests of a run share, unless `TARGET_URL` names a deployment. */
import { makeRunFolder } from './run-folder.ts';

export default async function startInstance() {
  const removeRunFolder = await makeRunFolder();
  globalThis.stopSharedInstance = removeRunFolder;
  if (process.env.TARGET_URL) return;
  const { CREDENTIALS, CREDENTIALS_ENV } = await import('./credentials.ts');
  const { makeDataTemplate } = await import('./data-template.ts');
  const { Instance, leftOvers } = await import('./instance.ts');
  await makeDataTemplate();
  const instance = await Instance.start({ env: CREDENTIALS_ENV });
  // With `--runInBand` the tests share this module, and the first file would take it for its own.
  leftOvers.delete(instance);
  process.env.TEST_INSTANCE = JSON.stringify({ url: instance.url, ...CREDENTIALS });
  globalThis.stopSharedInstance = async () => {
    await instance.dispose();
    await removeRunFolder();
  };
}
