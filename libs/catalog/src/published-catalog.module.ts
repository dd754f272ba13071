import { Global, Module } from '@nestjs/common';
import { CurrentCatalog } from './current-catalog.js';
import { PublishedCatalog } from './published-catalog.js';

/** Binds {@link CurrentCatalog} to the catalog published by the catalog service. */
@Global()
@Module({ providers: [{ provide: CurrentCatalog, useClass: PublishedCatalog }], exports: [CurrentCatalog] })
export class PublishedCatalogModule {}
