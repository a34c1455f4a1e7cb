import * as z from 'zod/mini';
import { crmPattern } from '../crm.ts';
import { limits } from '../limits.ts';
import { line, mailAddress, optionalLine, pattern, sentence, several, webAddress } from './fields.ts';
import { scheduleSchema } from './schedule.ts';

/** The area codes of Brazil (Anatel, Resolução 263/2001). */
const areaCodes = '1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9]';

export const rqePattern = /^RQE (?!0+$)\d{2,7}$/;
/** A mobile number has nine digits and begins with 9; a landline number has eight digits. */
export const whatsappPattern = new RegExp(`^55(?:${areaCodes})(?:9\\d{8}|[2-5]\\d{7})$`);

export const identitySchema = z
  .strictObject({
    shortName: line('o nome curto', limits.siteNameMaxLength),
    doctorName: line('o nome da médica ou do médico', limits.nameMaxLength),
    /** The word that the medical council (CFM) requires beside the name. */
    profession: z.enum(['Médica', 'Médico'], 'a profissão deve ser Médica ou Médico'),
    /** Resolução CFM 2.336/2023 allows at most two specialties, each with its registration number (RQE). */
    specialties: z
      .array(
        z.strictObject({
          name: line('a especialidade', limits.siteShortTextMaxLength),
          rqe: pattern('o RQE', rqePattern, '"RQE 12345", com o número do registro da especialidade'),
        }),
      )
      .check(z.maxLength(2, 'o CFM permite no máximo duas especialidades')),
    crm: pattern('o CRM', crmPattern, '"CRM-SP 123456", com o estado e o número'),
    email: mailAddress('o e-mail de contato'),
    whatsapp: pattern('o WhatsApp', whatsappPattern, '"11 91234-5678", com um DDD que existe'),
    bookingText: sentence('o texto de agendamento'),
    places: line('onde é o atendimento'),
    address: several(line('uma linha do endereço'), 1, 'falta o endereço'),
    /** The hours in words. The site shows them only while the schedule has no hours. */
    hours: optionalLine('o horário de atendimento'),
    schedule: z._default(scheduleSchema, { timeZone: 'America/Sao_Paulo', days: [], closed: [] }),
    social: several(
      z.strictObject({
        network: z.enum(
          ['Instagram', 'YouTube', 'LinkedIn'],
          'a rede deve ser Instagram, YouTube ou LinkedIn',
        ),
        url: webAddress('o endereço da rede social'),
      }),
      0,
      '',
    ),
    privacyContact: z.strictObject({
      name: line('o nome de quem responde pela privacidade', limits.nameMaxLength),
      email: mailAddress('o e-mail de privacidade'),
    }),
  })
  .check(
    z.refine(({ hours, schedule }) => hours !== '' || schedule.days.length > 0, {
      path: ['schedule', 'days'],
      error: 'falta um horário',
      params: { inDraft: true },
    }),
  );
export type Identity = z.infer<typeof identitySchema>;
