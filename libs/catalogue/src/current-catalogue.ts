import { bundledCatalogue } from './bundled-catalogue.js';
import { compileCatalogue, type CompiledCatalogue } from './compiled-catalogue.js';

/** The catalogue in use, wherever it comes from. Ask anew for each piece of work: it is swapped whole at any time. */
export abstract class CurrentCatalogue {
  private compiled: CompiledCatalogue | null = null;

  /** What came with the release, until there is something else. */
  get current(): CompiledCatalogue {
    this.compiled ??= compileCatalogue(bundledCatalogue());
    return this.compiled;
  }

  protected swap(catalogue: CompiledCatalogue): void {
    this.compiled = catalogue;
  }
}
