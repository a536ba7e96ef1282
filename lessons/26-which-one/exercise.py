# For each situation write "static" or "dynamic".
trees_that_differ_in_every_sentence = ""
one_small_model_run_a_million_times = ""
a_new_idea_tried_out_every_minute = ""
a_model_shipped_without_python = ""

answers = [trees_that_differ_in_every_sentence, one_small_model_run_a_million_times,
           a_new_idea_tried_out_every_minute, a_model_shipped_without_python]
print(answers)
