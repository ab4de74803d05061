-- Whether a dish has allergens may not be declared yet: null. So far an empty list was what anybody had who
-- declared nothing, so that it says nothing either.
alter table canteen_dish
  alter column allergens drop not null,
  alter column allergens drop default;
update canteen_dish set allergens = null where allergens = '{}';
update canteen_menu_template set days = (
  select coalesce(jsonb_agg(
    (select coalesce(jsonb_agg(
      case when dish -> 'allergens' = '[]'::jsonb then jsonb_set(dish, '{allergens}', 'null'::jsonb)
        else dish end order by place), '[]'::jsonb)
     from jsonb_array_elements(day) with ordinality as d(dish, place))
    order by weekday), '[]'::jsonb)
  from jsonb_array_elements(days) with ordinality as w(day, weekday));
