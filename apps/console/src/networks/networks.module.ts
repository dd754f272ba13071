import { Module } from '@nestjs/common';
import { NetworksService } from './networks.service.js';

/** Country, operator and network of addresses. */
@Module({ providers: [NetworksService], exports: [NetworksService] })
export class NetworksModule {}
