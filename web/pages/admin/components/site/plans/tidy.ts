/** Writes a registration as the medical council does: `crm sp 123.456` becomes `CRM-SP 123456`. */
export function tidyCrm(typed: string): string {
  const [letters, digits] = lettersAndDigits(typed);
  const state = letters.replace(/^CRM/, '');
  return state.length === 2 && digits !== '' ? `CRM-${state} ${digits}` : typed;
}

/** `12.345` becomes `RQE 12345`. */
export function tidyRqe(typed: string): string {
  const [letters, digits] = lettersAndDigits(typed);
  return ['', 'RQE', 'RQEN'].includes(letters) && digits !== '' ? `RQE ${digits}` : typed;
}

/** The digits of a number in Brazil with the country's code: `(11) 91234-5678` becomes `5511912345678`. */
export function tidyWhatsapp(typed: string): string {
  if (/[^\d\s()+.-]/.test(typed)) return typed;
  const digits = onlyDigits(typed).replace(/^0+/, '');
  return digits.length === 10 || digits.length === 11 ? `55${digits}` : digits;
}

/** The Latin letters, as capitals, and the digits. */
const lettersAndDigits = (text: string): [letters: string, digits: string] => [
  text.replace(/[^a-z]/gi, '').toUpperCase(),
  onlyDigits(text),
];

const onlyDigits = (text: string) => text.replace(/\D/g, '');
