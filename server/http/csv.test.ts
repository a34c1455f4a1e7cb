import assert from 'node:assert/strict';
import { it } from 'node:test';
import { csvLine } from './csv.ts';

it('a cell of a table is never a formula, whatever begins it', () => {
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '−'];
  const before = ['', ' ', '\u00a0', '\u200b', '\ufeff', '\u00ad', '\0', '\u202e ', '\n'];
  for (const sign of signs)
    for (const start of before)
      assert.equal(csvLine([`${start}${sign}1+1`], ';'), `"'${start}${sign}1+1"\r\n`);
  for (const start of ['\t', '\r']) assert.equal(csvLine([`${start}a`], ';'), `"'${start}a"\r\n`);
  assert.equal(
    csvLine(['Ana-Lúcia', 'ana@exemplo.com.br', ''], ','),
    '"Ana-Lúcia","ana@exemplo.com.br",""\r\n',
  );
});
