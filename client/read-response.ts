import { loadSchemas } from './schemas.ts';

/** Reads the body of a response, and loads the schemas that parse it. */
export async function readResponse(sent: Promise<Response>) {
  const response = await sent;
  const [body, schemas] = await Promise.all([response.json() as Promise<unknown>, loadSchemas()]);
  return { body, schemas, tag: response.headers.get('etag') ?? '' };
}
