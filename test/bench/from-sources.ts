/** Imported first, lets Node run the sources, which import one another by the names that their builds will have. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    try {
      return next(specifier, context);
    } catch (error) {
      if (!specifier.startsWith('.') || !specifier.endsWith('.js')) throw error;
      return next(specifier.replace(/\.js$/, '.ts'), context);
    }
  },
});
