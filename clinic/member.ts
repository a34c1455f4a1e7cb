/** What members find on their page until there is more. */
export const memberTexts = {
  lead: 'Este espaço é seu, para usar no seu tempo.',
  courses: {
    title: 'Cursos',
    text: 'Os cursos vão aparecer aqui assim que o primeiro estiver pronto.',
  },
  links: {
    title: 'Links úteis',
    text: 'Em breve, leituras e páginas que ajudam entre uma consulta e outra.',
  },
};
