import { Global, Module } from '@nestjs/common';
import { CurrentCatalog } from './current-catalog.js';
import { FollowedCatalog } from './followed-catalog.js';

/** Binds {@link CurrentCatalog} to the catalog that the catalog service publishes. */
@Global()
@Module({ providers: [{ provide: CurrentCatalog, useClass: FollowedCatalog }], exports: [CurrentCatalog] })
export class FollowedCatalogModule {}
