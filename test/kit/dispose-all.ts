import { disposables } from './instance.js';

afterAll(async () => {
  await Promise.all([...disposables].map((disposable) => disposable.dispose()));
});
