/** Injection token for {@link ConsoleSettings}. */
export const CONSOLE_SETTINGS = Symbol('console settings');

export type { ConsoleSettings } from './env.js';
