/** The states of Brazil, and the Federal District. */
const states = 'AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO';

/** The number of a doctor at the medical council, with its one spelling: `CRM-SP 123456`. */
export const crmPattern = new RegExp(`^CRM-(?:${states}) (?!0+$)\\d{3,7}$`);

/** Writes a number as `crmPattern` expects it, from `crm/sp 123.456`. Returns any other text unchanged. */
export function uniformCrm(typed: string): string {
  const [, state, number = ''] = /^CRM[-/ ]?([A-Z]{2}) ?([\d.]+)$/.exec(typed.trim().toUpperCase()) ?? [];
  return state === undefined ? typed : `CRM-${state} ${number.replace(/\D/g, '').replace(/^0+/, '')}`;
}
