import { Module } from '@nestjs/common';
import { PasswordHasher } from './password-hasher.service.js';

/** Hashing and judging passwords. */
@Module({ providers: [PasswordHasher], exports: [PasswordHasher] })
export class PasswordsModule {}
