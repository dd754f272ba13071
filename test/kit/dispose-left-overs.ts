import { leftOvers } from './instance.js';

afterAll(async () => {
  await Promise.all([...leftOvers].map((leftOver) => leftOver.dispose()));
});
