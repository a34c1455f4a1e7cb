import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialsOf, shortName } from './person-name.ts';

test('the short form of a name keeps its title and the first name', () => {
  for (const [name, short] of [
    ['Maria da Silva', 'Maria'],
    ['Dra. Helena Prado', 'Dra. Helena'],
    ['  Prof. Dr. João  Reis', 'Prof. Dr. João'],
    ['dra Ana', 'dra Ana'],
    ['Drauzio Souza', 'Drauzio'],
    ['Dra.', 'Dra.'],
    ['', ''],
  ] as const)
    assert.equal(shortName(name), short, name);
});

test('initials are those of the first and the last name, without titles', () => {
  for (const [name, initials] of [
    ['Maria da Silva', 'MS'],
    ['Dra. Helena Prado', 'HP'],
    ['Dra. Helena', 'H'],
    ['ágata', 'Á'],
    ['Maria (Mia)', 'MM'],
    ['"Zé" Santos', 'ZS'],
    ['João “Jota” d’Ávila', 'JD'],
    ['Ana - psicóloga', 'AP'],
    ['Ana 🌸', 'A'],
    ['🌸', '🌸'],
    ['Ana Silva, M.D.', 'AM'],
    ['3 Marias', '3M'],
    ['Dr.', 'D'],
    ['', ''],
  ] as const)
    assert.equal(initialsOf(name), initials, name);
});
