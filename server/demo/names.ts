// Names of the demo's families, drawn from those that are common in Brittany and France.

/** First names of children and adults. */
export const firstNames: readonly string[] = `
  Adam Agathe Alice Ambre Anna Antoine Arthur Aya Axel Baptiste Camille Chloé Clara Clément
  Côme Elio Éléna Élise Éloïse Émile Emma Enzo Erwan Ethan Eva Gabin Gabriel Gaspard Hugo Inès
  Iris Ismaël Jade Jeanne Joseph Jules Juliette Kenza Lana Léa Léna Léo Léon Lina Livia Lola
  Lou Louane Louis Louise Lucas Lucie Maël Maëlys Malo Manon Marceau Margaux Marius Martin
  Mathis Mia Mila Milo Mohamed Naël Naïm Nathan Nina Noah Noé Nour Olivia Oscar Paul Pauline
  Rafaël Robin Romane Romy Rose Sacha Salomé Sarah Simon Sofia Soline Suzanne Théo Thomas
  Tiago Timéo Tom Valentine Victor Victoire Yanis Yasmine Zélie Zoé
`
  .trim()
  .split(/\s+/)
  .map((name) => name.replace("-", " "));

/** Surnames; a dash stands for a space. */
export const surnames: readonly string[] = `
  Abgrall André Arnaud Aubert Bailly Barbier Baron Benoit Bernard Berthelot Bertrand Blanchard
  Bonnet Bouvier Brunet Caradec Carpentier Charles Chevalier Clément Colin Collet Da-Silva
  Daniel David Deschamps Diallo Dubois Dufour Dumas Dupont Dupuy Durand Fabre Faure Fernandes
  Ferreira Fontaine Fournier Garcia Garnier Gauthier Gérard Girard Giraud Guérin Guillou Hamon
  Henry Hubert Huet Jacob Jaouen Kerbrat Lambert Laurent Le-Bihan Le-Gall Le-Goff Le-Roux
  Leclerc Lefèvre Legrand Lemaire Leroy Lopez Louis Lucas Marchand Marie Martin Martinez
  Mathieu Mercier Meunier Meyer Michel Morel Morin Nguyen Nicolas Noël Olivier Paris Pereira
  Perrin Perrot Picard Pichon Quéméner Renaud Rey Riou Rivière Robert Robin Roche Rodriguez
  Rolland Rousseau Roussel Roux Roy Salaün Sanchez Schmitt Simon Tanguy Thomas Traoré Tual
  Vasseur Vidal Vincent
`
  .trim()
  .split(/\s+/)
  .map((name) => name.replace("-", " "));
