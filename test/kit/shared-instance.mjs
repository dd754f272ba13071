/** Starts the instance that all system tests of a run share, unless `TARGET_URL` names a deployment. */
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
  // With `--runInBand`, tests share `leftOvers`, so the first file would dispose of the instance.
  leftOvers.delete(instance);
  process.env.TEST_INSTANCE = JSON.stringify({ url: instance.url, ...CREDENTIALS });
  globalThis.stopSharedInstance = async () => {
    await instance.dispose();
    await removeRunFolder();
  };
}
