import { prepareUsers } from './site.ts';

/** Runs once before all tests. Playwright calls the returned function after them. */
export default async function setUp() {
  const { remove } = await prepareUsers();
  return remove;
}
