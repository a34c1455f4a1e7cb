import type { MemberTexts } from '#contract/site-content.ts';

/** The texts of the members' page. `items` is empty until the clinic has offers. */
export const member: MemberTexts = {
  lead: 'Este espaço é seu, para usar no seu tempo.',
  courses: {
    title: 'Cursos',
    text: 'Aqui vão ficar cursos curtos, em vídeo e texto, sobre os temas que mais aparecem nas consultas: dormir, lidar com a ansiedade, voltar ao que importa. O primeiro está sendo preparado.',
    items: [],
  },
  links: {
    title: 'Links úteis',
    text: 'Aqui vão ficar leituras e páginas de confiança para o intervalo entre uma consulta e outra, com uma frase sobre cada uma.',
    items: [],
  },
};
