/** Starts one instance for all system tests in a run, unless `TARGET_URL` points to a deployment. */
import { createRunFolder } from './run-folder.ts';

export default async function startInstance() {
  const removeRunFolder = await createRunFolder();
  globalThis.stopSharedInstance = removeRunFolder;
  if (process.env.TARGET_URL) return;
  const { CREDENTIALS, CREDENTIALS_ENV } = await import('./credentials.ts');
  const { createDataTemplate } = await import('./data-template.ts');
  const { Instance, disposables } = await import('./instance.ts');
  await createDataTemplate();
  const instance = await Instance.start({ env: CREDENTIALS_ENV });
  // With `--runInBand`, this process also runs the tests, which share `disposables`. The first test file would dispose
  // of this instance, so remove it from there.
  disposables.delete(instance);
  process.env.TEST_INSTANCE = JSON.stringify({ url: instance.url, ...CREDENTIALS });
  globalThis.stopSharedInstance = async () => {
    await instance.dispose();
    await removeRunFolder();
  };
}
