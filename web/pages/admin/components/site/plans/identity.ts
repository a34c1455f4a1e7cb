import type { Identity } from '#contract/site/identity.ts';
import { timeZones, type Weekday } from '#contract/site/schedule.ts';
import { sections } from '../sections.ts';
import { lines, longText, type PlanOf, text } from './plan.ts';
import { showWhatsapp, tidyCrm, tidyLink, tidyRqe, tidyWhatsapp } from './tidy.ts';

const weekOrder: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const weekdayNames: Record<Weekday, string> = {
  mon: 'segunda',
  tue: 'terça',
  wed: 'quarta',
  thu: 'quinta',
  fri: 'sexta',
  sat: 'sábado',
  sun: 'domingo',
};
const timeZoneNames: Record<(typeof timeZones)[number], string> = {
  'America/Sao_Paulo': 'Brasília: Sul, Sudeste, Goiás e Distrito Federal',
  'America/Fortaleza': 'Nordeste, Pará, Amapá e Tocantins',
  'America/Cuiaba': 'Mato Grosso e Mato Grosso do Sul',
  'America/Manaus': 'Amazonas, Rondônia e Roraima',
  'America/Rio_Branco': 'Acre',
  'America/Noronha': 'Fernando de Noronha',
};

export const identity: PlanOf<Identity> = {
  kind: 'group',
  label: sections.identity.label,
  fields: {
    shortName: text('Nome curto', { hint: 'Aparece no topo das páginas e na aba do navegador.' }),
    doctorName: text('Nome da médica ou do médico', {
      hint: 'Como no registro, por exemplo Dra. Ana Prado.',
    }),
    profession: { kind: 'choice', label: 'Profissão', options: ['Médica', 'Médico'] },
    specialties: {
      kind: 'list',
      label: 'Especialidades',
      hint: 'O CFM permite anunciar até duas, cada uma com o seu RQE.',
      noun: 'especialidade',
      feminine: true,
      most: 2,
      blank: () => ({ name: '', rqe: '' }),
      item: {
        kind: 'group',
        label: 'Especialidade',
        fields: {
          name: text('Especialidade', { hint: 'Como se lê depois de “Médica”: psiquiatra.' }),
          rqe: text('RQE', { hint: 'Por exemplo RQE 12345.', tidy: tidyRqe }),
        },
      },
    },
    crm: text('CRM', { hint: 'Com o estado, por exemplo CRM-SP 123456.', tidy: tidyCrm }),
    email: text('E-mail de contato', { input: 'email' }),
    whatsapp: text('WhatsApp', {
      input: 'tel',
      hint: 'Com o DDD, por exemplo 11 91234-5678.',
      tidy: tidyWhatsapp,
      shown: showWhatsapp,
    }),
    bookingText: longText('Mensagem pronta do WhatsApp', 'A pessoa vê este texto escrito antes de enviar.'),
    places: text('Onde atende', { hint: 'Por exemplo Consultório em Campinas, SP, e telemedicina.' }),
    address: lines('Endereço', 'Uma linha do endereço em cada linha.'),
    schedule: {
      kind: 'group',
      label: 'Horário de atendimento',
      hint: 'O site escreve estes horários no contato, e diz ao lado do botão de agendar se a clínica está atendendo.',
      fields: {
        timeZone: { kind: 'choice', label: 'Fuso horário', options: timeZones, labels: timeZoneNames },
        days: {
          kind: 'list',
          label: 'Horários',
          hint: 'Para uma pausa de almoço, acrescente um horário para a manhã e outro para a tarde. Para fechar à meia-noite, escreva 00:00.',
          noun: 'horário',
          blank: () => ({ weekdays: [], opens: '', closes: '' }),
          item: {
            kind: 'group',
            label: 'Horário',
            fields: {
              weekdays: { kind: 'choices', label: 'Dias', options: weekOrder, labels: weekdayNames },
              opens: text('Abre às', { input: 'time' }),
              closes: text('Fecha às', { input: 'time' }),
            },
          },
        },
        closed: {
          kind: 'list',
          label: 'Dias sem atendimento',
          hint: 'Feriados e férias.',
          noun: 'período',
          blank: () => ({ from: '', until: '' }),
          item: {
            kind: 'group',
            label: 'Período',
            fields: {
              from: text('Do dia', { input: 'date' }),
              until: text('Até o dia', { input: 'date', hint: 'Em branco, é um dia só.' }),
            },
          },
        },
      },
    },
    hours: text('Horário, em palavras', {
      hint: 'Só aparece enquanto não há horários acima, por exemplo Às terças, com hora marcada.',
    }),
    social: {
      kind: 'list',
      label: 'Redes sociais',
      noun: 'rede',
      feminine: true,
      blank: () => ({ network: 'Instagram', url: '' }),
      item: {
        kind: 'group',
        label: 'Rede',
        fields: {
          network: { kind: 'choice', label: 'Rede', options: ['Instagram', 'YouTube', 'LinkedIn'] },
          url: text('Endereço da página', {
            tidy: tidyLink,
            hint: 'Por exemplo instagram.com/nome, ou só @nome.',
          }),
        },
      },
    },
    privacyContact: {
      kind: 'group',
      label: 'Quem responde pela privacidade',
      hint: 'A LGPD pede um nome e um e-mail. Aparecem na página de privacidade.',
      fields: { name: text('Nome'), email: text('E-mail', { input: 'email' }) },
    },
  },
};
