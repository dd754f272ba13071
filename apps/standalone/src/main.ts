import 'reflect-metadata';
import { runService } from '#libs/platform';
import { readSettings } from './env.js';
import { start } from './start.js';

await runService(() => start(readSettings()));
