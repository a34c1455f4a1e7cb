import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** The file service. No file has been stored yet, so every path is that of a missing object. */
export async function storageService(app: FastifyInstance) {
  app.get('/files/*', async () => {
    throw new AppError('storage/object-not-found');
  });
}
