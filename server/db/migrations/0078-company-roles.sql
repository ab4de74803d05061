-- A colleague holds one role or several: the counter and the kitchen of a canteen are apart from the till. Nobody loses
-- what they may do: until now a cashier kept the till and the canteen, and an accountant did all that a cashier does.
alter table company_member add column roles text[];
update company_member m set roles = case when m.role = 'owner' then array['owner']
  else case when m.role = 'accountant' then array['accountant'] else '{}' end
    || case when m.role = 'cashier' or exists (select from partner p join canteen_provider v on v.partner_id = p.id
        where p.company_id = m.company_id) then array['cashier'] else '{}' end
    || case when exists (select from partner p join canteen_provider v on v.partner_id = p.id
        where p.company_id = m.company_id) then array['counter', 'kitchen'] else '{}' end
  end;
alter table company_member alter column roles set not null;

create or replace function card_company(person bigint) returns table (name text, managers bigint[])
  language sql stable parallel safe rows 1
  as $$ select c.name, array(
      select m.person_id from company_member m
      where m.company_id = c.id and 'owner' = any (m.roles) order by m.since, m.person_id)
    from pro_card p join company c on c.id = p.company_id where p.person_id = person $$;

-- A person's array of roles is in the order of the contract; an owner may do all of it and has no other.
alter table company_member drop column role;
alter table company_member add constraint company_member_roles check (
  cardinality(roles) > 0 and array_position(roles, null) is null
  and roles <@ array['owner', 'accountant', 'cashier', 'counter', 'kitchen']
  and (cardinality(roles) = 1 or not 'owner' = any (roles)));

-- The help says it too; an answer that the operator has edited keeps its words but for these.
update faq_article set body = replace(body,
  'donne à qui porte une carte de l’entreprise le rôle de responsable, de comptable ou de caisse, et le retire.',
  'donne à qui porte une carte de l’entreprise un ou plusieurs rôles, et les retire : comptable, caisse, guichet et cuisine de la cantine, ou responsable, qui décide de tout. Chaque personne ne voit que ce que ses rôles ouvrent.'),
  keywords = keywords || ' guichet cuisine cuisinier serveur'
where id = 'equipe-et-roles';
update faq_article set body = replace(body,
  '[Cantine](/pro/cantine) réunit les menus, à saisir, copier ou importer, les quantités à cuisiner et, selon votre rôle, les inscriptions, les absences, les messages, les règles, les fermetures et le relevé.',
  '[Cantine](/pro/cantine) réunit, selon vos rôles, les menus, à saisir, copier ou importer, les quantités à cuisiner, les inscriptions, les absences, les messages, les règles, les fermetures et le relevé.')
where id = 'gerer-la-cantine';
